// A signal arrives before or after its receiver blocks it. In the first case it ends the process, or runs a handler.
// expect --outcomes: outcomes "ok" "crash"
// expect --outcomes -- handler: outcomes "ok" "ok: handler"
// expect --outcomes -- wait: outcomes "ok: taken" "crash"
// expect --outcomes -- handler wait: outcomes "deadlock: handler" "ok: taken"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int waits;

static void handler(int signal) {
    (void)signal;
    (void)!write(1, "handler", 7);
}

static void* block(void* unused) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int got;
    if (waits && sigwait(&set, &got) == 0) (void)!write(1, "taken", 5);
    return unused;
}

int main(int count, char** words) {
    for (int i = 1; i < count; ++i) {
        if (strcmp(words[i], "wait") == 0) waits = 1;
        if (strcmp(words[i], "handler") == 0) signal(SIGUSR1, handler);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, block, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
