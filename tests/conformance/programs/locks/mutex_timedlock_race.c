/* conformance: pthread_mutex_timedlock */
#include "check.h"

/* Time may pass, so both outcomes are valid; the mutex is locked after 0, and only then. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *timed(void *p)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 5000);
    int r = pthread_mutex_timedlock(&m, &later);
    if (r == 0) {
        CHECK_EQ(inside++, 0);
        inside--;
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
    } else
        CHECK_EQ(r, ETIMEDOUT);
    return p;
}

int main(void)
{
    pthread_t a = start(timed, NULL), b = start(timed, NULL);
    join(a);
    join(b);
    CHECK_EQ(pthread_mutex_trylock(&m), 0); /* no thread kept it */
    return ok();
}
