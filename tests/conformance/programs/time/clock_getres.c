/* conformance: clock_getres, clock_gettime, clock_getcpuclockid */
#include "check.h"

static void *body(void *p)
{
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    struct timespec ts;
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(clock_getres(clocks[i], &ts), 0);
        CHECK(ts.tv_sec == 0 && ts.tv_nsec > 0);
        CHECK_EQ(clock_getres(clocks[i], NULL), 0);
    }
    CHECK_ERRNO(clock_getres(9999, &ts), EINVAL);
    CHECK_ERRNO(clock_gettime(9999, &ts), EINVAL);
    clockid_t own;
    CHECK_EQ(clock_getcpuclockid(0, &own), 0);
    CHECK_EQ(clock_gettime(own, &ts), 0);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
