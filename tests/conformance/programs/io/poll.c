/* conformance: poll */
#include "check.h"
#include <poll.h>

static int a[2], b[2];

static void *writer(void *p)
{
    CHECK_EQ(write(b[1], "x", 1), 1);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(a), 0);
    CHECK_EQ(pipe(b), 0);
    struct pollfd both[] = {{.fd = a[0], .events = POLLIN}, {.fd = b[0], .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    CHECK_EQ(poll(both, 3, 0), 0); /* no data yet */
    pthread_t t = start(writer, NULL);
    CHECK_EQ(poll(both, 3, -1), 1);
    CHECK_EQ(both[0].revents, 0);
    CHECK_EQ(both[1].revents, POLLIN);
    CHECK_EQ(both[2].revents, 0);
    join(t);
    CHECK_EQ(close(a[1]), 0);
    CHECK_EQ(poll(both, 3, -1), 2);
    CHECK_EQ(both[0].revents, POLLHUP);
    CHECK_EQ(close(a[0]), 0);
    CHECK_EQ(poll(both, 1, -1), 1);
    CHECK_EQ(both[0].revents, POLLNVAL);
    return ok();
}
