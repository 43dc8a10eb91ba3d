/* conformance: fork, exit, atexit, waitpid */
#include "check.h"
#include <sys/wait.h>

/* A child that calls exit runs the handlers it inherited; so does the parent. */
static int handled_fd;

static void handler(void) { CHECK_EQ(write(handled_fd, "x", 1), 1); }

static void *nothing(void *p) { return p; }

int main(void)
{
    int fd[2], status = 0;
    char byte;
    CHECK_EQ(pipe(fd), 0);
    handled_fd = fd[1];
    CHECK_EQ(atexit(handler), 0);
    join(start(nothing, NULL));
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        exit(3);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(WEXITSTATUS(status), 3);
    CHECK_EQ(read(fd[0], &byte, 1), 1);
    return ok();
}
