/* conformance: timerfd_create, timerfd_settime, epoll_wait; one thread sets the timer, another reads it */
#include "check.h"
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static int timer, watcher;

static void *waiter(void *p)
{
    struct epoll_event event;
    uint64_t expirations = 0;
    CHECK_EQ(epoll_wait(watcher, &event, 1, -1), 1);
    CHECK_EQ(event.data.fd, timer);
    CHECK_EQ(read(timer, &expirations, sizeof expirations), sizeof expirations);
    CHECK(expirations >= 1);
    return p;
}

int main(void)
{
    struct itimerspec hour = {.it_value = {3600, 0}}, soon = {.it_value = {0, 1000000}};
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    watcher = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = timer};
    CHECK_EQ(epoll_ctl(watcher, EPOLL_CTL_ADD, timer, &event), 0);
    CHECK_EQ(epoll_wait(watcher, &event, 1, 0), 0);
    CHECK_EQ(timerfd_settime(timer, 0, &hour, NULL), 0);
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(timerfd_settime(timer, 0, &soon, NULL), 0);
    join(t);
    return ok();
}
