/* conformance: pthread_cond_timedwait */
#include "check.h"

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *body(void *p)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 10), past = in_ms(CLOCK_REALTIME, -1000), bad = {1, 1000000000};
    int r;
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    CHECK_EQ(pthread_cond_timedwait(&c, &m, &bad), EINVAL);
    while ((r = pthread_cond_timedwait(&c, &m, &past)) == 0) /* no signal is sent, but spurious wakeups are possible */
        ;
    CHECK_EQ(r, ETIMEDOUT);
    while ((r = pthread_cond_timedwait(&c, &m, &soon)) == 0)
        ;
    CHECK_EQ(r, ETIMEDOUT);
    CHECK_EQ(pthread_mutex_unlock(&m), 0); /* the wait locked it again */
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
