/* bug: a thread frees a block that another one still reads; preemptions: 1 */
#include "work.h"

static int* shared;

static void* reads(void* unused) {
    work(events_each);
    is_near();
    if (*shared != 1) abort();
    work_on();
    return unused;
}

static void* frees(void* unused) {
    work(events_each);
    await_other();
    free(shared);
    work_on();
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    shared = malloc(sizeof *shared);
    *shared = 1;
    return run_two(reads, frees);
}
