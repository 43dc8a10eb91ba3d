/* conformance: sleep, usleep */
#include "check.h"

static void *body(void *p)
{
    long long before = now(CLOCK_MONOTONIC);
    CHECK_EQ(usleep(10000), 0);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_EQ(usleep(0), 0);
    CHECK_EQ(sleep(0), 0);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
