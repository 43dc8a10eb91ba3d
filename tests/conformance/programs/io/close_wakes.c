/* conformance: close, read, recv, poll */
#include "check.h"
#include <poll.h>
#include <sys/socket.h>

/* When the other end is closed, a reader gets the data sent before and then end of file; a poll returns. */
static int fd[2];

static void *reader(void *p)
{
    char text[4];
    CHECK_EQ(recv(fd[0], text, 2, MSG_WAITALL), 2);
    CHECK_EQ(read(fd[0], text, 1), 0);
    return p;
}

static void *poller(void *p)
{
    struct pollfd one = {.fd = fd[0], .events = POLLRDHUP};
    CHECK_EQ(poll(&one, 1, -1), 1);
    CHECK(one.revents & POLLRDHUP);
    return p;
}

int main(void)
{
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    pthread_t a = start(reader, NULL), b = start(poller, NULL);
    CHECK_EQ(write(fd[1], "xy", 2), 2);
    CHECK_EQ(close(fd[1]), 0);
    join(a);
    join(b);
    return ok();
}
