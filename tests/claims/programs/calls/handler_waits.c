// A signal interrupts pthread_cond_wait, and its handler waits itself (barrier, pipe, semaphore, mutex). Then the
// condition is signalled: no deadlock is possible.
// expect -- b: ok
// expect -- p: ok
// expect -- s: ok
// expect -- m: ok
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ends[2], waiting = 1;
static char how;

static void handler(int signal) {
    (void)signal;
    char byte;
    switch (how) {
        case 'b': pthread_barrier_wait(&barrier); break;
        case 'p': (void)!read(ends[0], &byte, 1); break;
        case 's': sem_wait(&semaphore); break;
        default: pthread_mutex_lock(&other); pthread_mutex_unlock(&other);
    }
}

static void* wait_for_condition(void* unused) {
    pthread_mutex_lock(&mutex);
    while (waiting) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char** values) {
    how = count > 1 ? values[1][0] : 'b';
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
    if (pipe(ends) != 0) return 9;
    signal(SIGUSR1, handler);
    if (how == 'm') pthread_mutex_lock(&other);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_condition, NULL);
    pthread_kill(thread, SIGUSR1);
    switch (how) {
        case 'b': pthread_barrier_wait(&barrier); break;
        case 'p': (void)!write(ends[1], "x", 1); break;
        case 's': sem_post(&semaphore); break;
        default: pthread_mutex_unlock(&other);
    }
    pthread_mutex_lock(&mutex);
    waiting = 0;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
