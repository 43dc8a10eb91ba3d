// A forked child has no pending signals, and a signal that kills does kill: in a call, in an exit handler, at the
// end of its last thread.
// expect -- pending: ok
// expect -- direct: ok
// expect -- exit: ok
// expect -- last: ok
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* how;

static void kill_myself(void) { kill(getpid(), SIGUSR1); }

static void run_child(void) {
    if (strcmp(how, "pending") == 0) {
        sigset_t pending;
        sigpending(&pending);
        _exit(sigismember(&pending, SIGUSR1));
    }
    if (strcmp(how, "direct") == 0) {
        kill_myself();
        _exit(0);
    }
    atexit(kill_myself);
    if (strcmp(how, "exit") == 0) exit(0);
    pthread_exit(NULL);
}

static void* fork_and_wait(void* unused) {
    (void)unused;
    const pid_t child = fork();
    if (child == 0) run_child();
    int status;
    waitpid(child, &status, 0);
    if (strcmp(how, "pending") == 0) return (void*)(long)(status != 0);
    return (void*)(long)(!WIFSIGNALED(status) || WTERMSIG(status) != SIGUSR1);
}

int main(int count, char** values) {
    how = count > 1 ? values[1] : "pending";
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (strcmp(how, "pending") == 0) {
        sigprocmask(SIG_BLOCK, &set, NULL);
        raise(SIGUSR1);
    }
    pthread_t thread;
    void* failed;
    pthread_create(&thread, NULL, fork_and_wait, NULL);
    pthread_join(thread, &failed);
    return failed != NULL;
}
