/* ok: counts schedules: P producers and P consumers pass K items each through one slot with two semaphores */
/* sem_queue [P = 2] [K = 1]: 4 happens-before graphs; 36 for 2 2. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 32 };

static sem_t empty, full;
static int items = 1;

static void* produce(void* unused) {
    (void)unused;
    for (int i = 0; i < items; ++i) {
        sem_wait(&empty);
        sem_post(&full);
    }
    return NULL;
}

static void* consume(void* unused) {
    (void)unused;
    for (int i = 0; i < items; ++i) {
        sem_wait(&full);
        sem_post(&empty);
    }
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t producer[most], consumer[most];
    const int pairs = argc > 1 ? atoi(argv[1]) : 2;
    if (argc > 2) items = atoi(argv[2]);
    if (pairs < 1 || pairs > most || items < 0) {
        fprintf(stderr, "usage: %s [pairs, 1 to %d] [items each]\n", argv[0], most);
        return 2;
    }
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    for (int i = 0; i < pairs; ++i) pthread_create(&producer[i], NULL, produce, NULL);
    for (int i = 0; i < pairs; ++i) pthread_create(&consumer[i], NULL, consume, NULL);
    for (int i = 0; i < pairs; ++i) pthread_join(producer[i], NULL);
    for (int i = 0; i < pairs; ++i) pthread_join(consumer[i], NULL);
    return 0;
}
