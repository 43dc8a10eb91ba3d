/* conformance: timerfd_create, timerfd_settime, timerfd_gettime, read */
#include "check.h"
#include <stdint.h>
#include <sys/timerfd.h>

static void *body(void *p)
{
    struct itimerspec ten = {.it_value = {0, 10000000}}, left, off = {0};
    uint64_t expirations = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    CHECK(fd >= 0);
    long long before = now(CLOCK_MONOTONIC);
    CHECK_EQ(timerfd_settime(fd, 0, &ten, NULL), 0);
    CHECK_EQ(timerfd_gettime(fd, &left), 0);
    CHECK(nanoseconds(left.it_value) <= 10000000);
    CHECK_EQ(read(fd, &expirations, sizeof expirations), sizeof expirations); /* waits */
    CHECK_EQ(expirations, 1);
    CHECK(now(CLOCK_MONOTONIC) - before >= 10000000);
    CHECK_EQ(timerfd_settime(fd, 0, &off, &left), 0);
    CHECK_EQ(nanoseconds(left.it_value), 0);
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
