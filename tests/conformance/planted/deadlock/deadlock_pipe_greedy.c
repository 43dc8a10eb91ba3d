/* planted: deadlock: one byte for each of two readers, but a reader may take both */
#include "check.h"

static int fd[2];

static void *reader(void *p)
{
    char bytes[2];
    CHECK(read(fd[0], bytes, sizeof bytes) > 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    pthread_t t = start(reader, NULL), u = start(reader, NULL);
    CHECK_EQ(write(fd[1], "1", 1), 1);
    CHECK_EQ(write(fd[1], "2", 1), 1);
    join(t);
    join(u);
    return ok();
}
