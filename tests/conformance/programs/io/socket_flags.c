/* conformance: recv, send, setsockopt, getsockopt */
#include "check.h"
#include <sys/socket.h>

static int fd[2];

static void *writer(void *p)
{
    CHECK_EQ(send(fd[0], "ab", 2, 0), 2);
    CHECK_EQ(send(fd[0], "cd", 2, 0), 2);
    return p;
}

int main(void)
{
    char text[5] = "";
    int type = 0;
    socklen_t length = sizeof type;
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    CHECK_ERRNO(recv(fd[1], text, 1, MSG_DONTWAIT), EAGAIN);
    CHECK_EQ(getsockopt(fd[1], SOL_SOCKET, SO_TYPE, &type, &length), 0);
    CHECK_EQ(type, SOCK_STREAM);
    pthread_t t = start(writer, NULL);
    CHECK_EQ(recv(fd[1], text, 1, MSG_PEEK), 1); /* waits, and leaves the data in the socket */
    CHECK_EQ(text[0], 'a');
    CHECK_EQ(recv(fd[1], text, 4, MSG_WAITALL), 4);
    CHECK_STR(text, "abcd");
    join(t);
    CHECK_ERRNO(recv(fd[1], text, 1, MSG_DONTWAIT), EAGAIN);
    return ok();
}
