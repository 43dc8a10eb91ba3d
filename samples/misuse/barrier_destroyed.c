/* bug: a barrier is destroyed after its first round while threads use it for their second; preemptions: 2 */
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t passed;

static void* work(void* unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    sem_post(&passed);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&passed, 0, 0);
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) sem_wait(&passed);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    sem_destroy(&passed);
    return 0;
}
