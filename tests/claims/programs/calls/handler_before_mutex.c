// A thread that was woken from a condition wait runs its handler while it waits for the mutex.
// expect --outcomes: outcomes "ok"
// expect --outcomes -- look: outcomes "ok: 0" "ok: 1"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t began, handled;
static int ready;

static void handler(int signal) {
    (void)signal;
    sem_post(&handled);
}

static void* wait_for_main(void* unused) {
    pthread_mutex_lock(&mutex);
    sem_post(&began);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char** words) {
    (void)words;
    signal(SIGUSR1, handler);
    sem_init(&began, 0, 0);
    sem_init(&handled, 0, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_main, NULL);
    sem_wait(&began);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&condition);
    pthread_kill(thread, SIGUSR1);
    if (count > 1)
        (void)!write(1, sem_trywait(&handled) == 0 ? "1" : "0", 1);
    else
        sem_wait(&handled);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
