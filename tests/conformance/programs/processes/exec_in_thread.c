/* conformance: execve, fork, waitpid */
#include "check.h"
#include <sys/wait.h>

/* execve from a thread replaces the whole process: here a child process replaces itself by this program. */
static char *self;

static void *replace(UNUSED void *p)
{
    char *const arguments[] = {self, "again", NULL}, *const environment[] = {"CONFORMANCE=1", NULL};
    execve("/proc/self/exe", arguments, environment);
    _exit(127);
}

int main(int argc, char **argv)
{
    int status = 0;
    if (argc > 1) {
        const char *value = getenv("CONFORMANCE");
        return value && strcmp(value, "1") == 0 && strcmp(argv[1], "again") == 0 ? 9 : 1;
    }
    self = argv[0];
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        join(start(replace, NULL));
        _exit(126);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 9);
    return ok();
}
