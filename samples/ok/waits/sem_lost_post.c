/* ok: a consumer posts the semaphore even if it found nothing */
#include <pthread.h>
#include <semaphore.h>

static sem_t turn;
static int items;

static void* produce(void* unused) {
    (void)unused;
    sem_wait(&turn);
    items += 2;
    sem_post(&turn);
    return NULL;
}

static void* consume(void* unused) {
    (void)unused;
    for (volatile int i = 0; i < 300000; ++i) continue; /* some work first */
    sem_wait(&turn);
    if (items > 0) --items;
    sem_post(&turn);
    return NULL;
}

int main(void) {
    pthread_t producer, consumer[2];
    sem_init(&turn, 0, 1);
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < 2; ++i) pthread_create(&consumer[i], NULL, consume, NULL);
    pthread_join(producer, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(consumer[i], NULL);
    sem_destroy(&turn);
    return 0;
}
