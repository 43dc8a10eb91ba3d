/* conformance: poll, ppoll, select, pselect, epoll_wait */
#include "check.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* No data arrives: each call waits for its time and returns 0. */
static int fd[2];
static long long begun;

static void waited(long long ms)
{
    CHECK(now(CLOCK_MONOTONIC) - begun >= ms * 1000000);
    begun = now(CLOCK_MONOTONIC);
}

static void *body(void *p)
{
    struct pollfd one = {.fd = fd[0], .events = POLLIN};
    struct timespec ts = {0, 5000000};
    struct timeval tv = {0, 5000};
    struct epoll_event event = {.events = EPOLLIN};
    fd_set set;
    int ep = epoll_create1(0);
    begun = now(CLOCK_MONOTONIC);
    CHECK_EQ(poll(&one, 1, 5), 0);
    waited(5);
    CHECK_EQ(poll(NULL, 0, 5), 0);
    waited(5);
    CHECK_EQ(ppoll(&one, 1, &ts, NULL), 0);
    waited(5);
    FD_ZERO(&set);
    FD_SET(fd[0], &set);
    CHECK_EQ(select(fd[0] + 1, &set, NULL, NULL, &tv), 0);
    CHECK(!FD_ISSET(fd[0], &set));
    waited(5);
    FD_SET(fd[0], &set);
    CHECK_EQ(pselect(fd[0] + 1, &set, NULL, NULL, &ts, NULL), 0);
    waited(5);
    CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, fd[0], &event), 0);
    CHECK_EQ(epoll_wait(ep, &event, 1, 5), 0);
    waited(5);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    join(start(body, NULL));
    return ok();
}
