/* conformance: pipe, dup, dup2, dup3, close, fcntl, open */
#include "check.h"
#include <fcntl.h>

/* Two threads that open files at the same time never get the same descriptor. */
static pthread_barrier_t all_open;
static int fds[2];

static void *body(void *p)
{
    int *mine = (int *)p;
    CHECK((*mine = open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0);
    pthread_barrier_wait(&all_open);
    CHECK(fds[0] != fds[1]);
    CHECK_EQ(write(*mine, "x", 1), 1);
    pthread_barrier_wait(&all_open);
    CHECK_EQ(close(*mine), 0);
    return p;
}

int main(void)
{
    pthread_barrier_init(&all_open, NULL, 2);
    pthread_t a = start(body, &fds[0]), b = start(body, &fds[1]);
    join(a);
    join(b);
    CHECK_ERRNO(close(fds[0]), EBADF);
    int low = open("/dev/null", O_RDONLY);
    CHECK(low >= 0);
    CHECK_EQ(dup2(low, low + 20), low + 20);
    CHECK_EQ(dup3(low, low + 21, O_CLOEXEC), low + 21);
    CHECK_EQ(fcntl(low, F_DUPFD, low + 30), low + 30);
    CHECK_EQ(close(low), 0);
    CHECK_EQ(open("/dev/null", O_RDONLY), low); /* the lowest free descriptor */
    return ok();
}
