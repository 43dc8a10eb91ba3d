/* bug: two threads add to a variable without a lock, and one addition is lost; preemptions: 1 */
// run: --memory races
#include "work.h"

static volatile int sum;

static void* first(void* unused) {
    work(events_each);
    is_near();
    sum = sum + 1;
    work_on();
    return unused;
}

static void* second(void* unused) {
    work(events_each);
    await_other();
    sum = sum + 1;
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    run_two(first, second);
    if (sum != 2) abort();
    return 0;
}
