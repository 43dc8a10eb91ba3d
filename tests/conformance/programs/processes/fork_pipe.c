/* conformance: fork, pipe, read, waitpid */
/* raddle: gap: a schedule may wait for the child before the fork; raddle ends such an execution after two seconds */
#include "check.h"
#include <sys/wait.h>

/* A thread reads the child's output while main waits for the child. */
static int fd[2];

static void *reader(void *p)
{
    char text[8] = "";
    size_t have = 0;
    ssize_t n;
    while ((n = read(fd[0], text + have, sizeof text - 1 - have)) > 0)
        have += (size_t)n;
    CHECK_STR(text, "child");
    return p;
}

int main(void)
{
    int status = 0;
    CHECK_EQ(pipe(fd), 0);
    pthread_t t = start(reader, NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(write(fd[1], "child", 5) == 5 ? 0 : 1);
    CHECK_EQ(close(fd[1]), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    join(t);
    return ok();
}
