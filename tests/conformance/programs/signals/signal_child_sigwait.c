/* conformance: sigwait, sigsuspend, posix_spawnp, waitpid */
#include "check.h"
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

/* The end of a child is reported to the thread that waits for SIGCHLD. */
extern char **environ;

static void *run(void *p)
{
    char *const arguments[] = {"sh", "-c", "sleep 0.05; exit 3", NULL};
    sigset_t set;
    pid_t child;
    int signal = 0, status = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    CHECK_EQ(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ), 0);
    CHECK_EQ(sigwait(&set, &signal), 0);
    CHECK_EQ(signal, SIGCHLD);
    CHECK_EQ(waitpid(child, &status, WNOHANG), child);
    CHECK_EQ(WEXITSTATUS(status), 3);
    return p;
}

static volatile sig_atomic_t came;

static void handler(int signal)
{
    came = signal;
}

int main(void)
{
    sigset_t set, none;
    struct sigaction action = {0};
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
    join(start(run, NULL));
    action.sa_handler = handler;
    CHECK_EQ(sigaction(SIGCHLD, &action, NULL), 0);
    pid_t child = fork();
    if (child == 0) {
        usleep(1000);
        _exit(0);
    }
    while (!came)
        sigsuspend(&none);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    return ok();
}
