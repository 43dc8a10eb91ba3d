/* planted: assert: the program assumes that one read returns the data of two writes */
#include "check.h"
#include <assert.h>

static int fd[2];

static void *writer(void *p)
{
    CHECK_EQ(write(fd[1], "a", 1), 1);
    CHECK_EQ(write(fd[1], "b", 1), 1);
    return p;
}

int main(void)
{
    char text[2];
    CHECK_EQ(pipe(fd), 0);
    pthread_t t = start(writer, NULL);
    ssize_t n = read(fd[0], text, 2);
    assert(n == 2);
    join(t);
    return ok();
}
