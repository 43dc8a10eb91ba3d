/* conformance: accept4, connect, poll */
#include "check.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t length = sizeof address;

static void *client(void *p)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fd >= 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, length), 0); /* the backlog accepts it */
    CHECK_EQ(write(fd, "x", 1), 1);
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    char byte = 0;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    CHECK(listener >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
    CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    CHECK_EQ(listen(listener, 2), 0);
    CHECK_ERRNO(accept(listener, NULL, NULL), EAGAIN);
    pthread_t t = start(client, NULL);
    struct pollfd one = {.fd = listener, .events = POLLIN};
    CHECK_EQ(poll(&one, 1, -1), 1);
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK(fd >= 0);
    CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
    CHECK_EQ(read(fd, &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    join(t);
    CHECK_EQ(read(fd, &byte, 1), 0);
    return ok();
}
