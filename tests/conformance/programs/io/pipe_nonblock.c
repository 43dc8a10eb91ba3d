/* conformance: pipe2, read, write, fcntl */
#include "check.h"
#include <fcntl.h>

static int fd[2];

static void *body(void *p)
{
    char byte = 0, block[4096] = "";
    CHECK_ERRNO(read(fd[0], &byte, 1), EAGAIN);
    CHECK_EQ(write(fd[1], "x", 1), 1);
    CHECK_EQ(read(fd[0], &byte, 1), 1);
    CHECK_EQ(byte, 'x');
    long written = 0;
    ssize_t n;
    while ((n = write(fd[1], block, sizeof block)) > 0)
        written += n;
    CHECK_EQ(errno, EAGAIN); /* the pipe is full */
    CHECK_EQ(written, fcntl(fd[1], F_GETPIPE_SZ));
    CHECK_EQ(read(fd[0], block, sizeof block), sizeof block);
    CHECK_EQ(write(fd[1], block, sizeof block), sizeof block);
    CHECK_EQ(close(fd[1]), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe2(fd, O_NONBLOCK), 0);
    CHECK(fcntl(fd[0], F_GETFL) & O_NONBLOCK);
    CHECK_EQ(fcntl(fd[1], F_SETPIPE_SZ, 4096), 4096);
    join(start(body, NULL));
    CHECK_EQ(close(fd[0]), 0);
    return ok();
}
