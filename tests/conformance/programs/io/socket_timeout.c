/* conformance: setsockopt, recv, read */
#include "check.h"
#include <sys/socket.h>
#include <sys/time.h>

static int fd[2];

static void *body(void *p)
{
    char byte;
    struct timeval ten = {0, 10000};
    CHECK_EQ(setsockopt(fd[1], SOL_SOCKET, SO_RCVTIMEO, &ten, sizeof ten), 0);
    CHECK_ERRNO(recv(fd[1], &byte, 1, 0), EAGAIN);
    CHECK_ERRNO(read(fd[1], &byte, 1), EAGAIN);
    return p;
}

int main(void)
{
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    join(start(body, NULL));
    return ok();
}
