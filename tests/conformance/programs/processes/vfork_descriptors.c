/* conformance: vfork, close, dup2, execl, waitpid */
#include "check.h"
#include <sys/wait.h>

/* The child of vfork has its own descriptors, but its writes to memory change the parent's memory. */
static void *run(void *p)
{
    char text[8];
    int fd[2], status = 0;
    volatile int error = 0;
    CHECK_EQ(pipe(fd), 0);
    pid_t child = vfork();
    if (child == 0) {
        close(fd[0]);
        dup2(fd[1], 1);
        close(fd[1]);
        execl("/bin/sh", "sh", "-c", "echo hi", (char *)NULL);
        _exit(1);
    }
    CHECK(child > 0);
    CHECK_EQ(close(fd[1]), 0);
    CHECK_EQ(read(fd[0], text, sizeof text), 3);
    CHECK_EQ(read(fd[0], text, sizeof text), 0);
    CHECK_EQ(close(fd[0]), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    child = vfork();
    if (child == 0) {
        execl("/no/such/program", "program", (char *)NULL);
        error = errno;
        _exit(9);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(WEXITSTATUS(status), 9);
    CHECK_EQ(error, ENOENT);
    return p;
}

int main(void)
{
    pthread_t one = start(run, NULL), other = start(run, NULL);
    join(one);
    join(other);
    return ok();
}
