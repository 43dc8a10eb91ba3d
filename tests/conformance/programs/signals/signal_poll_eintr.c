/* conformance: poll, ppoll, select, epoll_wait, pthread_kill, sigaction with SA_RESTART */
#include "signal_interrupts.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* A handler ends a wait for several descriptors, even with SA_RESTART. */
static int fd[2];

static int wait_by(long way)
{
    struct pollfd one = {.fd = fd[0], .events = POLLIN};
    if (way == 0)
        return poll(&one, 1, -1);
    if (way == 1) {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(fd[0], &readable);
        return select(fd[0] + 1, &readable, NULL, NULL, NULL);
    }
    if (way == 2) {
        struct epoll_event event = {.events = EPOLLIN};
        const int watcher = epoll_create1(0);
        CHECK(watcher >= 0);
        CHECK_EQ(epoll_ctl(watcher, EPOLL_CTL_ADD, fd[0], &event), 0);
        const int n = epoll_wait(watcher, &event, 1, -1);
        const int error = errno;
        close(watcher);
        errno = error;
        return n;
    }
    sigset_t none;
    sigemptyset(&none);
    return ppoll(&one, 1, NULL, &none);
}

static void *waiter(void *way)
{
    const int n = wait_by((long)way);
    if (n < 0)
        CHECK_EQ(errno, EINTR);
    else
        CHECK_EQ(n, 1);
    if ((long)way == 3) /* the signal is unblocked only during the wait, so the wait cannot miss it */
        CHECK_EQ(n, -1);
    CHECK_EQ(handled, 1);
    return NULL;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    handle_signals(SA_RESTART);
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    for (long way = 0; way < 4; way++) {
        char byte;
        handled = 0;
        if (way == 3)
            CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
        pthread_t t = start(waiter, (void *)way);
        interrupt(t);
        if (way < 3)
            CHECK_EQ(write(fd[1], "x", 1), 1); /* in case the signal arrives before the wait */
        join(t);
        if (way < 3)
            CHECK_EQ(read(fd[0], &byte, 1), 1);
    }
    return ok();
}
