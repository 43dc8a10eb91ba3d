/* conformance: posix_spawn, posix_spawnp, posix_spawn_file_actions_adddup2, waitpid */
#include "check.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static void *run(void *p)
{
    char *const arguments[] = {"sh", "-c", "echo hi; exit 3", NULL};
    posix_spawn_file_actions_t actions;
    char text[8] = "";
    pid_t child;
    int fd[2], status = 0;
    CHECK_EQ(pipe(fd), 0);
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, fd[1], 1), 0);
    CHECK_EQ(posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ), 0);
    CHECK_EQ(close(fd[1]), 0);
    CHECK_EQ(read(fd[0], text, sizeof text), 3);
    CHECK_STR(text, "hi\n");
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(WEXITSTATUS(status), 3);
    CHECK_EQ(posix_spawn_file_actions_destroy(&actions), 0);
    CHECK_EQ(posix_spawn(&child, "/no/such/program", NULL, NULL, arguments, environ), ENOENT);
    char *const quietly[] = {"sh", "-c", "exit 4", NULL};
    CHECK_EQ(posix_spawnp(&child, "sh", NULL, NULL, quietly, environ), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(WEXITSTATUS(status), 4);
    CHECK_EQ(close(fd[0]), 0);
    return p;
}

int main(void)
{
    join(start(run, NULL));
    return ok();
}
