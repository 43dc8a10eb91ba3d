/* conformance: pthread_cond_init, pthread_cond_wait, pthread_cond_signal, pthread_cond_destroy */
#include "check.h"

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c;
static int go;

static void *waiter(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    while (!go)
        CHECK_EQ(pthread_cond_wait(&c, &m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0); /* the wait locked it again */
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_cond_init(&c, NULL), 0);
    pthread_t t = start(waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    CHECK_EQ(pthread_cond_signal(&c), 0);
    pthread_mutex_unlock(&m);
    join(t);
    CHECK_EQ(pthread_cond_signal(&c), 0); /* no effect without a waiter */
    CHECK_EQ(pthread_cond_broadcast(&c), 0);
    CHECK_EQ(pthread_cond_destroy(&c), 0);
    return ok();
}
