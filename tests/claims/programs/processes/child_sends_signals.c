// A free child sends its parent signals at moments of its own: no schedule decides them, and raddle says so.
// modes: default kernel
// expect: incomplete "signal from outside"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;
static void handler(int signal) {
    (void)signal;
    ++signals;
}

static void* start_child(void* unused) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; ++i) kill(getppid(), SIGUSR1);
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0) continue;
    return unused;
}

int main(void) {
    signal(SIGUSR1, handler);
    pthread_t thread;
    pthread_create(&thread, NULL, start_child, NULL);
    pthread_join(thread, NULL);
    return signals > 3;
}
