/* bug: two threads take two locks in different orders; preemptions: 1 */
#include "work.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void* forwards(void* unused) {
    work(events_each);
    is_near();
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    work_on();
    return unused;
}

static void* backwards(void* unused) {
    work(events_each);
    await_other();
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    return run_two(forwards, backwards);
}
