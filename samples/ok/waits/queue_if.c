/* ok: a consumer of a bounded buffer tests again after each wait */
#include <assert.h>
#include <pthread.h>

enum { capacity = 2, items = 2, consumers = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static int buffer[capacity];
static int count;

static void* produce(void* unused) {
    (void)unused;
    for (int item = 1; item <= items; ++item) {
        pthread_mutex_lock(&m);
        while (count == capacity) pthread_cond_wait(&not_full, &m);
        buffer[count++] = item;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

static void* consume(void* taken) {
    pthread_mutex_lock(&m);
    while (count == 0) pthread_cond_wait(&not_empty, &m);
    assert(count > 0);
    *(int*)taken = buffer[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t producer, consumer[consumers];
    int taken[consumers];
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < consumers; ++i) pthread_create(&consumer[i], NULL, consume, &taken[i]);
    pthread_join(producer, NULL);
    for (int i = 0; i < consumers; ++i) pthread_join(consumer[i], NULL);
    assert(taken[0] + taken[1] == 3);
    return 0;
}
