/* ok: producers and consumers share one condition and wake everyone by broadcast */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;
static int slot;

static void* produce(void* item) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&changed, &m);
    slot = *(int*)item;
    full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* consume(void* sum) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&changed, &m);
    *(int*)sum += slot;
    full = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t producer[2], consumer[2];
    int item[2] = {20, 22};
    int sum = 0;
    for (int i = 0; i < 2; ++i) pthread_create(&producer[i], NULL, produce, &item[i]);
    for (int i = 0; i < 2; ++i) pthread_create(&consumer[i], NULL, consume, &sum);
    for (int i = 0; i < 2; ++i) pthread_join(producer[i], NULL);
    for (int i = 0; i < 2; ++i) pthread_join(consumer[i], NULL);
    return sum == 42 ? 0 : 1;
}
