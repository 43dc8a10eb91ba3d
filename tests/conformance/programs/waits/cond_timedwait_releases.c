/* conformance: pthread_cond_timedwait */
#include "check.h"

/* A timed wait releases the mutex, and returns only after it has locked the mutex again. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int inside;

static void *other(void *p)
{
    pthread_mutex_lock(&m);
    CHECK_EQ(inside++, 0);
    inside--;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10);
    pthread_mutex_lock(&m);
    pthread_t t = start(other, NULL);
    while (pthread_cond_timedwait(&c, &m, &soon) == 0)
        ;
    CHECK_EQ(inside++, 0);
    inside--;
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
