/* conformance: pthread_mutex_clocklock */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *while_taken(void *p)
{
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 10), past = in_ms(CLOCK_REALTIME, -1000);
    CHECK_EQ(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(soon));
    CHECK_EQ(pthread_mutex_clocklock(&m, CLOCK_REALTIME, &past), ETIMEDOUT);
    CHECK_EQ(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
    return p;
}

static void *while_free(void *p)
{
    struct timespec past = in_ms(CLOCK_MONOTONIC, -1);
    CHECK_EQ(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past), 0);
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
