/* conformance: clock_gettime, gettimeofday, time, timespec_get, gmtime_r */
#include "check.h"
#include <sys/time.h>

/* The wall clocks show the same time: each reading lies between two readings of another clock. */
static void *body(void *p)
{
    struct timeval tv;
    struct timespec ts;
    struct tm tm;
    long long first = now(CLOCK_REALTIME);
    CHECK_EQ(gettimeofday(&tv, NULL), 0);
    long long second = tv.tv_sec * 1000000000LL + tv.tv_usec * 1000LL;
    CHECK_EQ(timespec_get(&ts, TIME_UTC), TIME_UTC);
    long long third = nanoseconds(ts);
    time_t t = 0, same = time(&t);
    CHECK_EQ(same, t);
    CHECK(second >= first - 1000); /* precision of one microsecond */
    CHECK(third >= second);
    CHECK(t >= first / 1000000000 - 1 && t <= now(CLOCK_REALTIME) / 1000000000); /* time() may lag by a tick */
    CHECK(gmtime_r(&t, &tm) == &tm);
    CHECK(tm.tm_year >= 70);
    return p;
}

int main(void)
{
    body(NULL);
    join(start(body, NULL));
    return ok();
}
