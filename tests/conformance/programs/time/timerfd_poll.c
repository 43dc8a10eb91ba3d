/* conformance: timerfd_create, timerfd_settime, poll, read */
#include "check.h"
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>

static void *body(void *p)
{
    uint64_t expirations = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    CHECK(fd >= 0);
    struct pollfd one = {.fd = fd, .events = POLLIN};
    struct itimerspec hour = {.it_value = {3600, 0}}, at = {.it_value = in_ms(CLOCK_MONOTONIC, 10), .it_interval = {0, 5000000}};
    CHECK_EQ(timerfd_settime(fd, 0, &hour, NULL), 0);
    CHECK_ERRNO(read(fd, &expirations, sizeof expirations), EAGAIN);
    CHECK_EQ(poll(&one, 1, 0), 0);
    CHECK_EQ(timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL), 0);
    for (int i = 0; i < 2; i++) { /* it expires every 5 ms */
        CHECK_EQ(poll(&one, 1, -1), 1);
        CHECK_EQ(one.revents, POLLIN);
        CHECK_EQ(read(fd, &expirations, sizeof expirations), sizeof expirations);
        CHECK(expirations >= 1);
    }
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(at.it_value) + 5000000);
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
