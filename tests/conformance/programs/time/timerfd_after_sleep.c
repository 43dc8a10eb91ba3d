/* conformance: timerfd_settime, nanosleep, read */
#include "check.h"
#include <stdint.h>
#include <sys/timerfd.h>

/* Timers and sleeps share one clock: the timer has expired after a longer sleep. */
static void *body(void *p)
{
    struct itimerspec five = {.it_value = {0, 5000000}};
    struct timespec twenty = {0, 20000000};
    uint64_t expirations = 0;
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    CHECK(fd >= 0);
    CHECK_EQ(timerfd_settime(fd, 0, &five, NULL), 0);
    CHECK_EQ(nanosleep(&twenty, NULL), 0);
    CHECK_EQ(read(fd, &expirations, sizeof expirations), sizeof expirations);
    CHECK_EQ(expirations, 1);
    CHECK_ERRNO(read(fd, &expirations, sizeof expirations), EAGAIN);
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
