/* conformance: epoll_ctl, epoll_wait, eventfd */
#include "check.h"
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

/* Edge-triggered, two waiting threads, two events: each event is reported once, to one of them. */
static int ep, event_fd[2];

static void *waiter(void *p)
{
    struct epoll_event got;
    CHECK_EQ(epoll_wait(ep, &got, 1, -1), 1);
    *(int *)p = (int)got.data.u32;
    return p;
}

int main(void)
{
    int a_got = 0, b_got = 0;
    CHECK((ep = epoll_create(1)) >= 0);
    for (uint32_t i = 0; i < 2; i++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = i + 1};
        CHECK((event_fd[i] = eventfd(0, 0)) >= 0);
        CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, event_fd[i], &event), 0);
    }
    pthread_t a = start(waiter, &a_got), b = start(waiter, &b_got);
    CHECK_EQ(eventfd_write(event_fd[0], 1), 0);
    CHECK_EQ(eventfd_write(event_fd[1], 1), 0);
    join(a);
    join(b);
    CHECK_EQ(a_got + b_got, 3);
    CHECK(a_got != b_got);
    return ok();
}
