/* conformance: eventfd, eventfd_read, eventfd_write, read, write */
#include "check.h"
#include <stdint.h>
#include <sys/eventfd.h>

static int fd;

static void *add(void *p)
{
    CHECK_EQ(eventfd_write(fd, *(eventfd_t *)p), 0);
    return p;
}

int main(void)
{
    eventfd_t one = 1, two = 2, got;
    uint64_t total = 0, n;
    CHECK((fd = eventfd(0, 0)) >= 0);
    pthread_t a = start(add, &one), b = start(add, &two);
    while (total < 3) { /* both values at once, or one after the other */
        CHECK_EQ(read(fd, &n, sizeof n), sizeof n);
        CHECK(n > 0);
        total += n;
    }
    CHECK_EQ(total, 3);
    join(a);
    join(b);
    n = 7;
    CHECK_EQ(write(fd, &n, sizeof n), sizeof n);
    CHECK_EQ(eventfd_read(fd, &got), 0);
    CHECK_EQ(got, 7);
    return ok();
}
