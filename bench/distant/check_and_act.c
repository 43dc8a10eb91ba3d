/* bug: a thread checks a balance in one critical section and withdraws in the next; preemptions: 1 */
#include "work.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int withdraw(void) {
    pthread_mutex_lock(&m);
    const int is_enough = balance >= 100;
    pthread_mutex_unlock(&m);
    if (!is_enough) return 0;
    pthread_mutex_lock(&m);
    balance -= 100;
    if (balance < 0) abort();
    pthread_mutex_unlock(&m);
    return 1;
}

static void* first(void* unused) {
    work(events_each);
    is_near();
    withdraw();
    work_on();
    return unused;
}

static void* second(void* unused) {
    work(events_each);
    await_other();
    withdraw();
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    return run_two(first, second);
}
