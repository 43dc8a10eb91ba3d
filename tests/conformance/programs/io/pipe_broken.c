/* conformance: write, close, sigaction, send */
#include "check.h"
#include <signal.h>
#include <sys/socket.h>

static int fd[2];

static void *body(void *p)
{
    CHECK_ERRNO(write(fd[1], "x", 1), EPIPE);
    return p;
}

int main(void)
{
    int pair[2];
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    CHECK_EQ(pipe(fd), 0);
    CHECK_EQ(close(fd[0]), 0);
    join(start(body, NULL));
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    CHECK_EQ(close(pair[0]), 0);
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    CHECK_ERRNO(send(pair[1], "x", 1, MSG_NOSIGNAL), EPIPE);
    return ok();
}
