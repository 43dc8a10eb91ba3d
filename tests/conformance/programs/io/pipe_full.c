/* conformance: pipe, read, write, fcntl */
#include "check.h"
#include <fcntl.h>

/* A writer waits while the pipe is full. */
enum { size = 4096 };
static int fd[2];

static void *writer(void *p)
{
    static char block[2 * size];
    memset(block, 'w', sizeof block);
    CHECK_EQ(write(fd[1], block, sizeof block), sizeof block); /* twice the capacity */
    CHECK_EQ(close(fd[1]), 0);
    return p;
}

int main(void)
{
    static char block[size];
    long total = 0;
    ssize_t n;
    CHECK_EQ(pipe(fd), 0);
    CHECK_EQ(fcntl(fd[1], F_SETPIPE_SZ, size), size);
    pthread_t t = start(writer, NULL);
    while ((n = read(fd[0], block, sizeof block)) > 0)
        total += n;
    CHECK_EQ(n, 0);
    CHECK_EQ(total, 2 * size);
    CHECK_EQ(block[0], 'w');
    join(t);
    return ok();
}
