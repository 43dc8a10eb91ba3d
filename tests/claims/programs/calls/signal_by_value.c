// A thread waits for a signal that may have come before. By value, too, the signal and the wait keep their order.
// modes: default
// expect: deadlock
// expect --independence values --memory races: deadlock
#include <pthread.h>
#include <signal.h>
#include <string.h>

static pthread_t waits_for_one;

static void handler(int unused) { (void)unused; }

static void *waits(void *unused) {
    sigset_t none;
    sigemptyset(&none);
    sigsuspend(&none);
    return unused;
}
static void *sends(void *unused) {
    pthread_kill(waits_for_one, SIGUSR1);
    return unused;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, NULL);
    pthread_t other;
    pthread_create(&waits_for_one, NULL, waits, NULL);
    pthread_create(&other, NULL, sends, NULL);
    pthread_join(waits_for_one, NULL);
    pthread_join(other, NULL);
    return 0;
}
