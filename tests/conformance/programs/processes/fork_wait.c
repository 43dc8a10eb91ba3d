/* conformance: fork, wait, waitpid, waitid, wait4, kill */
#include "check.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* One thread waits for the child of another. */
static pid_t child;
static int fd[2];

static void *waiter(void *p)
{
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(WTERMSIG(status), SIGKILL);
    return p;
}

static pid_t spawn(void)
{
    char byte;
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        close(fd[1]);
        while (read(fd[0], &byte, 1) > 0)
            ;
        _exit(4);
    }
    return pid;
}

int main(void)
{
    siginfo_t info;
    struct rusage usage;
    int status;
    CHECK_EQ(pipe(fd), 0);
    child = spawn();
    CHECK_EQ(waitpid(child, NULL, WNOHANG), 0); /* still alive: the child is reading */
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(kill(child, SIGKILL), 0);
    join(t);
    pid_t second = spawn(), third = spawn();
    CHECK_EQ(close(fd[1]), 0);
    CHECK_EQ(waitid(P_PID, (id_t)second, &info, WEXITED), 0);
    CHECK_EQ(info.si_pid, second);
    CHECK_EQ(info.si_status, 4);
    CHECK_EQ(wait4(third, &status, 0, &usage), third);
    CHECK_EQ(WEXITSTATUS(status), 4);
    CHECK_ERRNO(wait(NULL), ECHILD);
    return ok();
}
