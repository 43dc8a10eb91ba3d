/* conformance: vfork, execl, waitpid */
#include "check.h"
#include <sys/wait.h>

static void *run(void *p)
{
    int status = 0;
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 6", (char *)NULL);
        _exit(127);
    }
    CHECK(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 6);
    return p;
}

int main(void)
{
    run(NULL);
    join(start(run, NULL));
    return ok();
}
