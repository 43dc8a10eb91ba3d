/* ok: a thread that is cancelled while it holds a lock releases it in a cleanup handler */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void unlock(void* lock) {
    pthread_mutex_unlock(lock);
}

static void* write_log(void* unused) {
    (void)unused;
    pthread_testcancel(); /* no cancellation is pending yet */
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    ++lines;
    pthread_testcancel(); /* in place of a write or a sleep */
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t logger;
    pthread_create(&logger, NULL, write_log, NULL);
    pthread_cancel(logger);
    pthread_join(logger, NULL);
    pthread_mutex_lock(&m);
    ++lines;
    pthread_mutex_unlock(&m);
    return 0;
}
