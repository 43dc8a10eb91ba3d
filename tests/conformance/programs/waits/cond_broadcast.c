/* conformance: pthread_cond_broadcast, pthread_cond_wait */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, woken;

static void *waiter(void *p)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    woken++;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t a = start(waiter, NULL), b = start(waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    CHECK_EQ(pthread_cond_broadcast(&c), 0); /* one call wakes both */
    pthread_mutex_unlock(&m);
    join(a);
    join(b);
    CHECK_EQ(woken, 2);
    return ok();
}
