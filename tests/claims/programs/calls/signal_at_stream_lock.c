// A handler runs while its thread waits for the lock of a stream.
// expect: ok
// expect -- early: exit_status
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static sem_t ready, handled;

static void handler(int unused) {
    (void)unused;
    sem_post(&handled);
}

static void *prints(void *unused) {
    sem_post(&ready);
    fputs("text\n", stdout);
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
    pthread_t thread;
    flockfile(stdout);
    pthread_create(&thread, NULL, prints, NULL);
    sem_wait(&ready);
    pthread_kill(thread, SIGUSR1);
    int seen_early = 0;
    if (argc > 1)
        seen_early = sem_trywait(&handled) == 0;
    else
        sem_wait(&handled);
    funlockfile(stdout);
    pthread_join(thread, NULL);
    return seen_early;
}
