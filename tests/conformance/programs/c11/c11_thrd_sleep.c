/* conformance: thrd_sleep, timespec_get */
#include "check.h"
#include <threads.h>

static int body(UNUSED void *p)
{
    struct timespec ten = {0, 10000000}, utc;
    long long before = now(CLOCK_MONOTONIC);
    CHECK_EQ(thrd_sleep(&ten, NULL), 0);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_EQ(timespec_get(&utc, TIME_UTC), TIME_UTC);
    CHECK(utc.tv_sec > 0 && utc.tv_nsec >= 0 && utc.tv_nsec < 1000000000);
    CHECK_EQ(timespec_get(&utc, 99), 0);
    return 0;
}

int main(void)
{
    thrd_t t;
    CHECK_EQ(thrd_create(&t, body, NULL), thrd_success);
    CHECK_EQ(thrd_join(t, NULL), thrd_success);
    return ok();
}
