/* conformance: pthread_cond_wait, pthread_mutex_lock */
#include "check.h"

/* A wait with a recursive mutex that is locked once. */
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *p)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    CHECK_EQ(pthread_mutex_trylock(&m), 0); /* locked a second time */
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), EPERM);
    return p;
}

int main(void)
{
    pthread_t t = start(waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
