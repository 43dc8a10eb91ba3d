/* conformance: socketpair, read, write */
#include "check.h"
#include <sys/socket.h>

static int fd[2];

static void *echo(void *p)
{
    char byte;
    ssize_t n;
    while ((n = read(fd[1], &byte, 1)) == 1) {
        byte++;
        CHECK_EQ(write(fd[1], &byte, 1), 1);
    }
    CHECK_EQ(n, 0);
    return p;
}

int main(void)
{
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
    pthread_t t = start(echo, NULL);
    for (char c = 'a'; c < 'c'; c++) {
        char back = 0;
        CHECK_EQ(write(fd[0], &c, 1), 1);
        CHECK_EQ(read(fd[0], &back, 1), 1);
        CHECK_EQ(back, c + 1);
    }
    CHECK_EQ(close(fd[0]), 0);
    join(t);
    return ok();
}
