/* bug: a thread detaches itself although main joins it, unless main was first; preemptions: 1 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int is_joined;

static void* leaves(void* unused) {
    work(events_each);
    await_other();
    pthread_mutex_lock(&m);
    if (!is_joined) pthread_detach(pthread_self());
    pthread_mutex_unlock(&m);
    work_on();
    return unused;
}

int main(int count, char** words) {
    pthread_t worker;
    events_each = amount(count, words) / 2;
    sem_init(&near, 0, 0);
    pthread_create(&worker, NULL, leaves, NULL);
    work(events_each);
    is_near();
    pthread_mutex_lock(&m);
    is_joined = 1;
    pthread_mutex_unlock(&m);
    pthread_join(worker, NULL);
    return 0;
}
