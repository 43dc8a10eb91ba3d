/* conformance: pthread_rwlock_rdlock, pthread_rwlock_wrlock */
/* raddle: misuse */
#include "check.h"

int main(void)
{
    pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec later = in_ms(CLOCK_REALTIME, 1000);
    CHECK_EQ(pthread_rwlock_wrlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_wrlock(&rw), EDEADLK);
    CHECK_EQ(pthread_rwlock_rdlock(&rw), EDEADLK);
    CHECK_EQ(pthread_rwlock_timedwrlock(&rw, &later), EDEADLK);
    CHECK_EQ(pthread_rwlock_timedrdlock(&rw, &later), EDEADLK);
    CHECK_EQ(pthread_rwlock_tryrdlock(&rw), EBUSY);
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), EBUSY);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_destroy(&rw), 0);
    return ok();
}
