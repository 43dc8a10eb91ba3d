/* conformance: pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock */
#include "check.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *while_read(void *p)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10), past = in_ms(CLOCK_REALTIME, -10);
    CHECK_EQ(pthread_rwlock_timedwrlock(&rw, &soon), ETIMEDOUT);
    CHECK_EQ(pthread_rwlock_timedrdlock(&rw, &past), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

static void *while_written(void *p)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10), past = in_ms(CLOCK_REALTIME, -10), bad = {1, -1};
    CHECK_EQ(pthread_rwlock_timedrdlock(&rw, &soon), ETIMEDOUT);
    CHECK_EQ(pthread_rwlock_timedwrlock(&rw, &soon), ETIMEDOUT);
    CHECK_EQ(pthread_rwlock_timedrdlock(&rw, &past), ETIMEDOUT);
    CHECK_EQ(pthread_rwlock_timedrdlock(&rw, &bad), EINVAL);
    return p;
}

int main(void)
{
    struct timespec past = in_ms(CLOCK_REALTIME, -10);
    CHECK_EQ(pthread_rwlock_timedrdlock(&rw, &past), 0);
    join(start(while_read, NULL));
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_timedwrlock(&rw, &past), 0);
    join(start(while_written, NULL));
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return ok();
}
