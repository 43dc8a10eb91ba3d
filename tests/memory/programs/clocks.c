// N threads take turns under a compare-exchange lock and measure how long they held it; the times depend on other threads.
#include "threads.h"
#include <time.h>
static atomic_int lock;
static long longest;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void* body(void* argument) {
    const long begun = now();
    int free = 0;
    if (!atomic_compare_exchange_strong(&lock, &free, 1)) return argument;
    const long waited = now() - begun;
    if (waited > longest) longest = waited;
    lock = 0;
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
