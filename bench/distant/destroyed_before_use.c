/* bug: a thread destroys a mutex that another one still locks; preemptions: 1 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* locks(void* unused) {
    work(events_each);
    is_near();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    work_on();
    return unused;
}

static void* destroys(void* unused) {
    work(events_each);
    await_other();
    pthread_mutex_destroy(&m);
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    return run_two(locks, destroys);
}
