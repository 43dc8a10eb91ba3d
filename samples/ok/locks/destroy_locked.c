/* ok: a thread reports that it is done after it has unlocked the mutex that main destroys */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m;
static sem_t done;
static int result;

static void* work(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    result = 42;
    pthread_mutex_unlock(&m);
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_mutex_init(&m, NULL);
    sem_init(&done, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    sem_wait(&done);
    pthread_mutex_destroy(&m);
    pthread_join(worker, NULL);
    sem_destroy(&done);
    return result == 42 ? 0 : 1;
}
