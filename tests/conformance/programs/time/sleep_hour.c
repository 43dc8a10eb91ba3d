/* conformance: sleep, nanosleep, clock_nanosleep, time */
#include "check.h"

/* Needs virtual time: hours pass at once, on every clock. */
static void *short_sleeper(void *p)
{
    struct timespec hour = {3600, 0};
    CHECK_EQ(nanosleep(&hour, NULL), 0);
    return p;
}

int main(void)
{
    if (!getenv("RADDLE_ACTIVE"))
        return ok();
    time_t wall = time(NULL);
    long long before = now(CLOCK_MONOTONIC), hour = 3600000000000;
    pthread_t t = start(short_sleeper, NULL);
    CHECK_EQ(sleep(3600), 0);
    join(t);
    CHECK(now(CLOCK_MONOTONIC) - before >= hour);
    CHECK(time(NULL) - wall >= 3599);
    struct timespec at = in_ms(CLOCK_REALTIME, 3600000);
    CHECK_EQ(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL), 0);
    CHECK(now(CLOCK_REALTIME) >= nanoseconds(at));
    CHECK(now(CLOCK_MONOTONIC) - before >= 2 * hour - 1000000000);
    return ok();
}
