/* bug: a thread uses what another one sets up only later; preemptions: 1 */
#include "work.h"

static int* volatile table;
static int entries[4];

static void* sets_up(void* unused) {
    work(events_each);
    is_near();
    table = entries;
    work_on();
    return unused;
}

static void* uses(void* unused) {
    work(events_each);
    await_other();
    table[1] = 1;
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    return run_two(sets_up, uses);
}
