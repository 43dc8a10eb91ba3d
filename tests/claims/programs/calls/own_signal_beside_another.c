// A thread sends itself a signal while another thread sends it one, too. What it does next follows from its own past.
// modes: default races kernel
// expect: ok
#include <pthread.h>
#include <signal.h>
#include <string.h>

static int word;

static void handler(int unused) {
    (void)unused;
    __atomic_add_fetch(&word, 1, __ATOMIC_SEQ_CST);
}

static void *raises(void *unused) {
    pthread_kill(pthread_self(), SIGUSR1);
    return unused;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, raises, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
