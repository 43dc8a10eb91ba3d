/* conformance: pthread_rwlock_clockrdlock, pthread_rwlock_clockwrlock */
#include "check.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *while_written(void *p)
{
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 10), real = in_ms(CLOCK_REALTIME, 10);
    CHECK_EQ(pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(soon));
    CHECK_EQ(pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
    CHECK_EQ(pthread_rwlock_clockwrlock(&rw, CLOCK_REALTIME, &real), ETIMEDOUT);
    CHECK_EQ(pthread_rwlock_clockwrlock(&rw, CLOCK_PROCESS_CPUTIME_ID, &real), EINVAL);
    return p;
}

int main(void)
{
    struct timespec past = in_ms(CLOCK_MONOTONIC, -10);
    CHECK_EQ(pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &past), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_clockwrlock(&rw, CLOCK_MONOTONIC, &past), 0);
    join(start(while_written, NULL));
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return ok();
}
