// N threads take a lock once each: N! graphs.
#include "threads.h"
static atomic_int lock;
static int counter;
static void* body(void* argument) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1)) expected = 0;
    ++counter;
    lock = 0;
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
