/* bug: main joins a thread while it holds a lock that the thread still needs; preemptions: 1 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t started;

static void* log_end(void* unused) {
    pthread_barrier_wait(&started);
    work(events_each);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(int count, char** words) {
    pthread_t logger;
    events_each = amount(count, words) / 2;
    pthread_barrier_init(&started, NULL, 2);
    pthread_create(&logger, NULL, log_end, NULL);
    pthread_barrier_wait(&started);
    work(events_each);
    pthread_mutex_lock(&m);
    pthread_join(logger, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}
