/* conformance: system, write */
#include "check.h"

/* The command waits for output of another thread, so that thread has to run during system(). */
static int fd[2];

static void *command(void *p)
{
    char text[64];
    sprintf(text, "read word <&%d; test $word = hello", fd[0]);
    CHECK_EQ(system(text), 0);
    return p;
}

static void *writer(void *p)
{
    CHECK_EQ(write(fd[1], "hello\n", 6), 6);
    return p;
}

int main(void)
{
    CHECK_EQ(pipe(fd), 0);
    pthread_t one = start(command, NULL), other = start(writer, NULL);
    join(one);
    join(other);
    return ok();
}
