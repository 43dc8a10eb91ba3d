/* ok: counts schedules: a producer and a consumer pass K items through one slot with two conditions */
/* cond_queue [K = 1]: 2, 8, 32, 128 happens-before graphs for K = 1, 2, 3, 4. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int n;
static int items = 1;

static void* produce(void* unused) {
    (void)unused;
    for (int i = 0; i < items; ++i) {
        pthread_mutex_lock(&m);
        while (n == 1) pthread_cond_wait(&not_full, &m);
        ++n;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void* consume(void* unused) {
    (void)unused;
    for (int i = 0; i < items; ++i) {
        pthread_mutex_lock(&m);
        while (n == 0) pthread_cond_wait(&not_empty, &m);
        --n;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t producer, consumer;
    if (argc > 1) items = atoi(argv[1]);
    if (items < 0) {
        fprintf(stderr, "usage: %s [items]\n", argv[0]);
        return 2;
    }
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(n == 0);
    return 0;
}
