/* bug: two threads add to a variable without a lock, and one addition is lost; preemptions: 1 */
// run: --memory races
#include "work.h"

static volatile int sum;

static void* adds(void* unused) {
    work(events_each);
    sum = sum + 1;
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    run_two(adds, adds);
    if (sum != 2) abort();
    return 0;
}
