/* conformance: accept, recv, recvfrom, recvmsg, send, sendto, sendmsg, pthread_cancel */
#include "check.h"
#include <sys/socket.h>
#include <sys/un.h>
#include "cancel.h"

static int fd[2], listener;
static char byte;
static struct iovec iov = {&byte, 1};
static struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
static void in_accept(void) { accept(listener, NULL, NULL); }
static void in_recv(void) { recv(fd[0], &byte, 1, 0); }
static void in_recvfrom(void) { recvfrom(fd[0], &byte, 1, 0, NULL, NULL); }
static void in_recvmsg(void) { recvmsg(fd[0], &message, 0); }
static void in_send(void) { send(fd[1], &byte, 1, 0); }
static void in_sendto(void) { sendto(fd[1], &byte, 1, 0, NULL, 0); }
static void in_sendmsg(void) { sendmsg(fd[1], &message, 0); }

int main(void)
{
    struct sockaddr_un any = {.sun_family = AF_UNIX};
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    CHECK((listener = socket(AF_UNIX, SOCK_STREAM, 0)) >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&any, sizeof(sa_family_t)), 0); /* the kernel chooses an abstract name */
    CHECK_EQ(listen(listener, 1), 0);
    CHECK(cancelled_in(in_accept));
    CHECK(cancelled_in(in_recv));
    CHECK(cancelled_in(in_recvfrom));
    CHECK(cancelled_in(in_recvmsg));
    CHECK(cancelled_in(in_send));
    CHECK(cancelled_in(in_sendto));
    CHECK(cancelled_in(in_sendmsg));
    CHECK_ERRNO(recv(fd[0], &byte, 1, MSG_DONTWAIT), EAGAIN); /* nothing was sent */
    return ok();
}
