/* conformance: fork, pthread_create, pthread_join, wait */
#include "check.h"
#include <sys/wait.h>

/* A thread forks; in the child it is the only thread, and starts and joins another. */
static void *in_child(void *p)
{
    *(int *)p += 2;
    return p;
}

static void *forker(void *p)
{
    int n = 3, status = 0;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK_EQ(getpid(), gettid());
        CHECK(join(start(in_child, &n)) == &n);
        _exit(n);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 5);
    return p;
}

int main(void)
{
    join(start(forker, NULL));
    CHECK_ERRNO(wait(NULL), ECHILD);
    return ok();
}
