/* conformance: open and fopen of /dev/urandom and /dev/random: endless numbers, different for each open */
#include "check.h"
#include <fcntl.h>
#include <stdio.h>

struct bytes {
    unsigned char opened[16], streamed[16];
};

static void *body(void *p)
{
    struct bytes *out = (struct bytes *)p;
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK_EQ(read(fd, out->opened, sizeof out->opened), sizeof out->opened);
    static __thread unsigned char many[40000];
    for (int i = 0; i < 3; i++)
        CHECK_EQ(read(fd, many, sizeof many), sizeof many);
    CHECK_EQ(close(fd), 0);
    FILE *stream = fopen("/dev/random", "r");
    CHECK(stream != NULL);
    CHECK_EQ(fread(out->streamed, 1, sizeof out->streamed, stream), sizeof out->streamed);
    CHECK_EQ(fclose(stream), 0);
    return p;
}

int main(void)
{
    struct bytes one = {0}, two = {0}, zero = {0};
    int lowest = open("/dev/null", O_RDONLY);
    CHECK_EQ(close(lowest), 0);
    int fd = open("/dev/urandom", O_RDONLY);
    CHECK_EQ(fd, lowest);
    CHECK_EQ(fcntl(fd, F_GETFD), 0);
    CHECK_EQ(close(fd), 0);
    pthread_t a = start(body, &one), b = start(body, &two);
    join(a);
    join(b);
    CHECK(memcmp(one.opened, zero.opened, 16) && memcmp(one.streamed, zero.streamed, 16));
    CHECK(memcmp(one.opened, two.opened, 16) && memcmp(one.opened, one.streamed, 16));
    CHECK(fopen("/dev/urandom/none", "r") == NULL);
    return ok();
}
