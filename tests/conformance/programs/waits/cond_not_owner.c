/* conformance: pthread_cond_wait, pthread_cond_timedwait */
#include "check.h"

int main(void)
{
    pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct timespec soon = in_ms(CLOCK_REALTIME, 10);
    CHECK_EQ(pthread_cond_wait(&c, &m), EPERM);
    CHECK_EQ(pthread_cond_timedwait(&c, &m, &soon), EPERM);
    CHECK_EQ(pthread_cond_destroy(&c), 0);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
