/* bug: a thread waits without a look at what it waits for; preemptions: 0 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void* waits(void* unused) {
    work(events_each);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

static void* wakes(void* unused) {
    work(events_each);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    return run_two(waits, wakes);
}
