/* conformance: pthread_cond_timedwait, pthread_cond_signal */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *p)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 5000);
    int r = 0;
    pthread_mutex_lock(&m);
    while (!go && r == 0)
        r = pthread_cond_timedwait(&c, &m, &later);
    CHECK(r == 0 || r == ETIMEDOUT); /* ETIMEDOUT only if virtual time passed first */
    *(int *)p = go;
    pthread_mutex_unlock(&m);
    CHECK(r == ETIMEDOUT || *(int *)p == 1);
    return p;
}

int main(void)
{
    int seen = -1;
    pthread_t t = start(waiter, &seen);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    join(t);
    CHECK(seen == 0 || seen == 1);
    return ok();
}
