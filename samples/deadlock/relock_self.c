/* bug: a full cache is emptied by a function that takes the lock its caller already holds; preemptions: 1 */
/* The cache is full only while both threads have an entry in it. */
#include <pthread.h>

enum { capacity = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void evict(void) {
    pthread_mutex_lock(&m);
    entries = 0;
    pthread_mutex_unlock(&m);
}

static void put(void) {
    pthread_mutex_lock(&m);
    if (++entries == capacity) evict();
    pthread_mutex_unlock(&m);
}

static void drop(void) {
    pthread_mutex_lock(&m);
    if (entries > 0) --entries;
    pthread_mutex_unlock(&m);
}

static void* work(void* unused) {
    (void)unused;
    put();
    drop();
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    return 0;
}
