/* bug: a thread frees a block that another one still reads; preemptions: 1 */
#include "work.h"

static int* shared;

static void* reads(void* unused) {
    work(events_each);
    if (*shared != 1) abort();
    return unused;
}

static void* frees(void* unused) {
    work(events_each);
    free(shared);
    return unused;
}

int main(int count, char** words) {
    events_each = amount(count, words) / 2;
    shared = malloc(sizeof *shared);
    *shared = 1;
    return run_two(reads, frees);
}
