/* bug: two readers both wait to become the only reader, in order to write; preemptions: 1 */
#include <pthread.h>

/* A lock for many readers; one of them may become the writer. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reader_left = PTHREAD_COND_INITIALIZER;
static int readers;

static void lock_to_read(void) {
    pthread_mutex_lock(&m);
    ++readers;
    pthread_mutex_unlock(&m);
}

static void lock_to_write(void) {
    pthread_mutex_lock(&m);
    while (readers > 1) pthread_cond_wait(&reader_left, &m);
}

static void unlock_all(void) {
    --readers;
    pthread_cond_broadcast(&reader_left);
    pthread_mutex_unlock(&m);
}

static int hits;

static void* look_up(void* unused) {
    (void)unused;
    lock_to_read();
    const int seen = hits;
    lock_to_write();
    hits = seen + 1;
    unlock_all();
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, look_up, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    return hits == 2 ? 0 : 1;
}
