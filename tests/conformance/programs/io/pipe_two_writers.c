/* conformance: pipe2, read, write */
#include "check.h"
#include <fcntl.h>

/* Small writes are atomic: no data is lost or mixed, in any order. */
static int fd[2];

static void *writer(void *p)
{
    CHECK_EQ(write(fd[1], p, 4), 4);
    return p;
}

int main(void)
{
    char text[9] = "";
    CHECK_EQ(pipe2(fd, O_CLOEXEC), 0);
    CHECK_EQ(fcntl(fd[0], F_GETFD), FD_CLOEXEC);
    pthread_t a = start(writer, "aaaa"), b = start(writer, "bbbb");
    for (size_t have = 0; have < 8;) {
        ssize_t n = read(fd[0], text + have, 8 - have);
        CHECK(n > 0);
        have += (size_t)n;
    }
    CHECK(strcmp(text, "aaaabbbb") == 0 || strcmp(text, "bbbbaaaa") == 0);
    join(a);
    join(b);
    return ok();
}
