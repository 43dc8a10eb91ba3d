/* bug: main joins a thread while it holds a lock that the thread still needs; preemptions: 1 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* log_end(void* unused) {
    work(events_each);
    is_near();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    work_on();
    return unused;
}

int main(int count, char** words) {
    pthread_t logger;
    events_each = amount(count, words) / 2;
    sem_init(&near, 0, 0);
    pthread_create(&logger, NULL, log_end, NULL);
    work(events_each);
    await_other();
    pthread_mutex_lock(&m);
    pthread_join(logger, NULL);
    pthread_mutex_unlock(&m);
    return 0;
}
