/* bug: a thread is cancelled while it holds a lock that main needs; preemptions: 2 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void* write_log(void* unused) {
    (void)unused;
    pthread_testcancel(); /* no cancellation is pending yet */
    pthread_mutex_lock(&m);
    ++lines;
    pthread_testcancel(); /* in place of a write or a sleep */
    pthread_mutex_unlock(&m);
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
