/* conformance: pthread_condattr_init, pthread_condattr_destroy, pthread_condattr_getclock, pthread_condattr_setclock, pthread_condattr_getpshared, pthread_condattr_setpshared, pthread_cond_timedwait */
#include "check.h"

int main(void)
{
    pthread_condattr_t attr;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c;
    clockid_t clock = -1;
    int v = -1, r;
    CHECK_EQ(pthread_condattr_init(&attr), 0);
    CHECK_EQ(pthread_condattr_getclock(&attr, &clock), 0);
    CHECK_EQ(clock, CLOCK_REALTIME);
    CHECK_EQ(pthread_condattr_setclock(&attr, CLOCK_PROCESS_CPUTIME_ID), EINVAL);
    CHECK_EQ(pthread_condattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_PRIVATE);
    CHECK_EQ(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_condattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_SHARED);
    CHECK_EQ(pthread_condattr_setpshared(&attr, 99), EINVAL);
    CHECK_EQ(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC), 0);
    CHECK_EQ(pthread_condattr_getclock(&attr, &clock), 0);
    CHECK_EQ(clock, CLOCK_MONOTONIC);
    CHECK_EQ(pthread_cond_init(&c, &attr), 0);
    CHECK_EQ(pthread_condattr_destroy(&attr), 0);
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 10); /* in the distant past for the real-time clock */
    pthread_mutex_lock(&m);
    while ((r = pthread_cond_timedwait(&c, &m, &soon)) == 0)
        ;
    CHECK_EQ(r, ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(soon));
    pthread_mutex_unlock(&m);
    CHECK_EQ(pthread_cond_destroy(&c), 0);
    return ok();
}
