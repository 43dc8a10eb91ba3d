// A thread counts in memory, without any call, until main says that it is enough. A second thread sends it signals.
// modes: default races
// expect --bound 1: bounded ok
// expect --bound 1 -- signals: bounded ok
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static volatile int goes_on = 1;
static volatile long count;
static volatile sig_atomic_t signals;
static void note(int signal) { signals = signals + signal; }
static void* work(void* unused) {
    while (goes_on) ++count;
    return unused;
}
int main(int words, char** word) {
    (void)word;
    pthread_t worker;
    signal(SIGUSR1, note);
    pthread_create(&worker, NULL, work, NULL);
    if (words > 1) pthread_kill(worker, SIGUSR1);
    sleep(1);
    goes_on = 0;
    pthread_join(worker, NULL);
    return 0;
}
