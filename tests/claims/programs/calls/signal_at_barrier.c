// A handler runs while its thread waits at a barrier: the thread that sent the signal may see that before it arrives.
// expect: ok
// expect -- early: exit_status
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static sem_t ready, handled;
static pthread_barrier_t barrier;

static void handler(int unused) {
    (void)unused;
    sem_post(&handled);
}

static void *arrives(void *unused) {
    sem_post(&ready);
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&ready, 0, 0);
    sem_init(&handled, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, arrives, NULL);
    sem_wait(&ready);
    pthread_kill(thread, SIGUSR1);
    int seen_early = 0;
    if (argc > 1)
        seen_early = sem_trywait(&handled) == 0;
    else
        sem_wait(&handled);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return seen_early;
}
