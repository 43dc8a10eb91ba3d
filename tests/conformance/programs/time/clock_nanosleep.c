/* conformance: clock_nanosleep */
#include "check.h"

static void *body(void *p)
{
    clockid_t clock = *(clockid_t *)p;
    struct timespec ten = {0, 10000000}, bad = {0, -1}, past = in_ms(clock, -1000);
    long long before = now(clock);
    CHECK_EQ(clock_nanosleep(clock, 0, &ten, NULL), 0);
    CHECK(now(clock) - before >= 10000000);
    struct timespec at = in_ms(clock, 10);
    CHECK_EQ(clock_nanosleep(clock, TIMER_ABSTIME, &at, NULL), 0);
    CHECK(now(clock) >= nanoseconds(at));
    CHECK_EQ(clock_nanosleep(clock, TIMER_ABSTIME, &past, NULL), 0); /* returns at once */
    CHECK_EQ(clock_nanosleep(clock, 0, &bad, NULL), EINVAL);
    CHECK_EQ(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &ten, NULL), EINVAL);
    return p;
}

int main(void)
{
    clockid_t monotonic = CLOCK_MONOTONIC, real = CLOCK_REALTIME;
    pthread_t a = start(body, &monotonic), b = start(body, &real);
    join(a);
    join(b);
    return ok();
}
