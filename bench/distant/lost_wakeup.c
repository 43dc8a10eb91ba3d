/* bug: a thread looks at what it waits for in one critical section, and waits in the next; preemptions: 1 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static int is_ready;

static void* waits(void* unused) {
    work(events_each);
    is_near();
    pthread_mutex_lock(&m);
    const int must_wait = !is_ready;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (must_wait) pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    work_on();
    return unused;
}

static void* wakes(void* unused) {
    work(events_each);
    await_other();
    pthread_mutex_lock(&m);
    is_ready = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    return run_two(waits, wakes);
}
