/* conformance: read, write, readv, writev, open, close, poll, ppoll, select, pselect, epoll_wait, epoll_pwait, pthread_cancel */
#include "check.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>
#include "cancel.h"

static int fd[2], ep;
static char byte;
static struct iovec iov = {&byte, 1};
static struct pollfd none;
static struct epoll_event event;
static struct timeval tv;
static struct timespec ts;
static void in_read(void) { if (read(fd[0], &byte, 1)) {} }
static void in_write(void) { if (write(fd[1], &byte, 1)) {} }
static void in_readv(void) { if (readv(fd[0], &iov, 1)) {} }
static void in_writev(void) { if (writev(fd[1], &iov, 1)) {} }
static void in_open(void) { open("/dev/null", O_RDONLY); }
static void in_close(void) { close(-1); }
static void in_poll(void) { poll(&none, 0, 0); }
static void in_ppoll(void) { ppoll(&none, 0, &ts, NULL); }
static void in_select(void) { select(0, NULL, NULL, NULL, &tv); }
static void in_pselect(void) { pselect(0, NULL, NULL, NULL, &ts, NULL); }
static void in_epoll_wait(void) { epoll_wait(ep, &event, 1, 0); }
static void in_epoll_pwait(void) { epoll_pwait(ep, &event, 1, 0, NULL); }

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    CHECK((ep = epoll_create1(0)) >= 0);
    CHECK(cancelled_in(in_read));
    CHECK(cancelled_in(in_write));
    CHECK(cancelled_in(in_readv));
    CHECK(cancelled_in(in_writev));
    CHECK(cancelled_in(in_open));
    CHECK(cancelled_in(in_close));
    CHECK(cancelled_in(in_poll));
    CHECK(cancelled_in(in_ppoll));
    CHECK(cancelled_in(in_select));
    CHECK(cancelled_in(in_pselect));
    CHECK(cancelled_in(in_epoll_wait));
    CHECK(cancelled_in(in_epoll_pwait));
    CHECK_EQ(fcntl(fd[0], F_SETFL, O_NONBLOCK), 0);
    CHECK_ERRNO(read(fd[0], &byte, 1), EAGAIN); /* nothing was written */
    return ok();
}
