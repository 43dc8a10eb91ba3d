/* conformance: pthread_mutex_timedlock */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *while_taken(void *p)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10), past = in_ms(CLOCK_REALTIME, -1000), bad = {1, 1000000000};
    CHECK_EQ(pthread_mutex_timedlock(&m, &soon), ETIMEDOUT);
    CHECK_EQ(pthread_mutex_timedlock(&m, &past), ETIMEDOUT);
    CHECK_EQ(pthread_mutex_timedlock(&m, &bad), EINVAL);
    return p;
}

static void *while_free(void *p)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 1000), past = in_ms(CLOCK_REALTIME, -1000);
    CHECK_EQ(pthread_mutex_timedlock(&m, &later), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_mutex_timedlock(&m, &past), 0); /* not locked: no wait */
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    return p;
}

int main(void)
{
    pthread_mutex_lock(&m);
    join(start(while_taken, NULL));
    pthread_mutex_unlock(&m);
    join(start(while_free, NULL));
    return ok();
}
