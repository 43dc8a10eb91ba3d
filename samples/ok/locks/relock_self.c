/* ok: a full cache is emptied under the lock that the caller already holds */
#include <pthread.h>

enum { capacity = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void evict_locked(void) {
    entries = 0;
}

static void put(void) {
    pthread_mutex_lock(&m);
    if (++entries == capacity) evict_locked();
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
