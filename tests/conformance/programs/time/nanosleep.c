/* conformance: nanosleep */
#include "check.h"

static void *body(void *p)
{
    struct timespec ten = {0, 10000000}, zero = {0, 0}, bad = {0, 1000000000}, negative = {-1, 0};
    long long before = now(CLOCK_MONOTONIC);
    CHECK_EQ(nanosleep(&ten, NULL), 0);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_EQ(nanosleep(&zero, NULL), 0);
    CHECK_ERRNO(nanosleep(&bad, NULL), EINVAL);
    CHECK_ERRNO(nanosleep(&negative, NULL), EINVAL);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
