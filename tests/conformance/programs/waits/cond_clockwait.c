/* conformance: pthread_cond_clockwait */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *body(void *p)
{
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 10), past = in_ms(CLOCK_REALTIME, -1000);
    int r;
    pthread_mutex_lock(&m);
    while ((r = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &soon)) == 0)
        ;
    CHECK_EQ(r, ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(soon));
    while ((r = pthread_cond_clockwait(&c, &m, CLOCK_REALTIME, &past)) == 0)
        ;
    CHECK_EQ(r, ETIMEDOUT);
    CHECK_EQ(pthread_cond_clockwait(&c, &m, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
