// A handler interrupts a wait at a barrier and waits at another: no verdict hides that raddle cannot follow it there.
// expect: incomplete "interrupted a wait for a condition or at a barrier"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static sem_t ready;
static pthread_barrier_t first, second;

static void handler(int unused) {
    (void)unused;
    pthread_barrier_wait(&second);
}

static void *arrives(void *unused) {
    sem_post(&ready);
    pthread_barrier_wait(&first);
    return unused;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&ready, 0, 0);
    pthread_barrier_init(&first, NULL, 2);
    pthread_barrier_init(&second, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, arrives, NULL);
    sem_wait(&ready);
    pthread_kill(thread, SIGUSR1);
    pthread_barrier_wait(&second);
    pthread_barrier_wait(&first);
    pthread_join(thread, NULL);
    return 0;
}
