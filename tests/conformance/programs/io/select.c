/* conformance: select */
#include "check.h"
#include <sys/select.h>

static int in[2], out[2];

static void *writer(void *p)
{
    CHECK_EQ(write(in[1], "x", 1), 1);
    return p;
}

int main(void)
{
    fd_set readable, writable;
    CHECK_EQ(pipe(in), 0);
    CHECK_EQ(pipe(out), 0);
    pthread_t t = start(writer, NULL);
    FD_ZERO(&readable);
    FD_SET(in[0], &readable);
    CHECK_EQ(select(in[0] + 1, &readable, NULL, NULL, NULL), 1);
    CHECK(FD_ISSET(in[0], &readable));
    join(t);
    FD_ZERO(&readable);
    FD_ZERO(&writable);
    FD_SET(in[0], &readable);
    FD_SET(out[0], &readable);
    FD_SET(out[1], &writable);
    CHECK_EQ(select(out[1] + 1, &readable, &writable, NULL, NULL), 2);
    CHECK(FD_ISSET(in[0], &readable) && !FD_ISSET(out[0], &readable) && FD_ISSET(out[1], &writable));
    FD_ZERO(&readable);
    FD_SET(in[0], &readable);
    CHECK_EQ(close(in[0]), 0);
    struct timeval zero = {0, 0};
    CHECK_ERRNO(select(in[0] + 1, &readable, NULL, NULL, &zero), EBADF);
    return ok();
}
