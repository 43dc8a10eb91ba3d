// A thread gets a unit of a semaphore and then a signal. It never waited in vain, so sem_wait does not fail with EINTR.
// expect: ok
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static sem_t units;

static void handler(int unused) { (void)unused; }

static void *takes(void *unused) {
    const int result = sem_wait(&units);
    assert(result == 0);
    return unused;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&units, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, takes, NULL);
    sem_post(&units);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
