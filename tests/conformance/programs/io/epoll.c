/* conformance: epoll_create1, epoll_ctl, epoll_wait, epoll_pwait */
#include "check.h"
#include <sys/epoll.h>

static int a[2], b[2];

static void *writer(void *p)
{
    CHECK_EQ(write(b[1], "xy", 2), 2);
    return p;
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 1}, got[2];
    char byte;
    int ep = epoll_create1(EPOLL_CLOEXEC);
    CHECK(ep >= 0);
    CHECK_EQ(pipe(a), 0);
    CHECK_EQ(pipe(b), 0);
    CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, a[0], &event), 0);
    event.data.u32 = 2;
    CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, b[0], &event), 0);
    CHECK_ERRNO(epoll_ctl(ep, EPOLL_CTL_ADD, b[0], &event), EEXIST);
    CHECK_EQ(epoll_wait(ep, got, 2, 0), 0);
    pthread_t t = start(writer, NULL);
    CHECK_EQ(epoll_wait(ep, got, 2, -1), 1);
    CHECK_EQ(got[0].data.u32, 2);
    CHECK_EQ(got[0].events, EPOLLIN);
    join(t);
    CHECK_EQ(read(b[0], &byte, 1), 1);
    CHECK_EQ(epoll_pwait(ep, got, 2, -1, NULL), 1); /* level-triggered: one byte is left */
    event.events = EPOLLIN | EPOLLONESHOT;
    CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_MOD, b[0], &event), 0);
    CHECK_EQ(epoll_wait(ep, got, 2, -1), 1);
    CHECK_EQ(epoll_wait(ep, got, 2, 0), 0); /* reported only once */
    CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_DEL, b[0], NULL), 0);
    CHECK_EQ(close(a[1]), 0);
    CHECK_EQ(epoll_wait(ep, got, 2, -1), 1);
    CHECK_EQ(got[0].data.u32, 1);
    CHECK_EQ(got[0].events, EPOLLHUP);
    return ok();
}
