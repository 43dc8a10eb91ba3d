// A thread that was woken from a condition wait runs a handler while it waits for the mutex.
// expect: ok
// expect -- early: exit_status
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static sem_t handled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waits, may_go;

static void handler(int unused) {
    (void)unused;
    sem_post(&handled);
}

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    waits = 1;
    while (!may_go) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv) {
    (void)argv;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&handled, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    int seen_early = 0;
    pthread_mutex_lock(&mutex);
    if (waits) {
        may_go = 1;
        pthread_cond_signal(&condition);
        pthread_kill(thread, SIGUSR1);
        if (argc > 1)
            seen_early = sem_trywait(&handled) == 0;
        else
            sem_wait(&handled);
    }
    may_go = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return seen_early;
}
