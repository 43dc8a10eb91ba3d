/* conformance: pipe, read, write, close */
#include "check.h"

static int fd[2];

static void *reader(void *p)
{
    char text[8] = "";
    size_t have = 0;
    ssize_t n;
    while ((n = read(fd[0], text + have, sizeof text - have)) > 0)
        have += (size_t)n;
    CHECK_EQ(n, 0); /* end of file after the writer has closed */
    CHECK_EQ(have, 4);
    CHECK(memcmp(text, "abcd", 4) == 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    pthread_t t = start(reader, NULL);
    CHECK_EQ(write(fd[1], "ab", 2), 2);
    CHECK_EQ(write(fd[1], "cd", 2), 2);
    CHECK_EQ(close(fd[1]), 0);
    join(t);
    CHECK_EQ(close(fd[0]), 0);
    return ok();
}
