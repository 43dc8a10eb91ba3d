/* conformance: close_range, closefrom: a reader sees the end of its pipe */
#include "check.h"
#include <fcntl.h>

static int ends[2];

static void *reader(void *p)
{
    char byte;
    CHECK_EQ(read(ends[0], &byte, 1), 0);
    return p;
}

int main(void)
{
    int low = dup(0);
    CHECK(low >= 0);
    CHECK_EQ(pipe(ends), 0);
    CHECK_ERRNO(close_range(9, 8, 0), EINVAL);
    pthread_t t = start(reader, NULL);
    CHECK_EQ(close_range((unsigned)ends[1], (unsigned)ends[1], 0), 0);
    join(t);
    CHECK_ERRNO(fcntl(ends[1], F_GETFD), EBADF);
    closefrom(low);
    CHECK_ERRNO(fcntl(ends[0], F_GETFD), EBADF);
    CHECK_EQ(fcntl(2, F_GETFD) >= 0, 1);
    return ok();
}
