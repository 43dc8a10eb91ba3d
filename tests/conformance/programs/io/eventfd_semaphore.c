/* conformance: eventfd, read, write */
#include "check.h"
#include <stdint.h>
#include <sys/eventfd.h>

static int fd;

static void *take(void *p)
{
    uint64_t n = 0;
    CHECK_EQ(read(fd, &n, sizeof n), sizeof n);
    CHECK_EQ(n, 1);
    return p;
}

int main(void)
{
    uint64_t n = 2;
    CHECK((fd = eventfd(0, EFD_SEMAPHORE)) >= 0);
    pthread_t a = start(take, NULL), b = start(take, NULL);
    CHECK_EQ(write(fd, &n, sizeof n), sizeof n); /* enough for both readers */
    join(a);
    join(b);
    int nonblocking = eventfd(0, EFD_NONBLOCK);
    CHECK_ERRNO(read(nonblocking, &n, sizeof n), EAGAIN);
    n = UINT64_MAX - 1;
    CHECK_EQ(write(nonblocking, &n, sizeof n), sizeof n);
    CHECK_ERRNO(write(nonblocking, &n, sizeof n), EAGAIN); /* would overflow */
    return ok();
}
