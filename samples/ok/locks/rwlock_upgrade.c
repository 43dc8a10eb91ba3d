/* ok: two readers want to write: only one may wait for it, and the other leaves and starts again */
#include <pthread.h>

/* A lock for many readers; one of them may become the writer. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reader_left = PTHREAD_COND_INITIALIZER;
static int readers;
static int upgrading;

static void lock_to_read(void) {
    pthread_mutex_lock(&m);
    while (upgrading) pthread_cond_wait(&reader_left, &m);
    ++readers;
    pthread_mutex_unlock(&m);
}

/* Returns 0 if another reader is about to write; the caller no longer holds the lock then. */
static int lock_to_write(void) {
    pthread_mutex_lock(&m);
    if (upgrading) {
        --readers;
        pthread_cond_broadcast(&reader_left);
        pthread_mutex_unlock(&m);
        return 0;
    }
    upgrading = 1;
    while (readers > 1) pthread_cond_wait(&reader_left, &m);
    return 1;
}

static void unlock_all(void) {
    --readers;
    upgrading = 0;
    pthread_cond_broadcast(&reader_left);
    pthread_mutex_unlock(&m);
}

static int hits;

static void* look_up(void* unused) {
    (void)unused;
    int seen;
    do {
        lock_to_read();
        seen = hits;
    } while (!lock_to_write());
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
