// A lock by exchange, with a yield in the loop: N! graphs and more, see spinning_test.cpp.
#include <sched.h>

#include "threads.h"
static atomic_int lock;
static void* body(void* argument) {
    while (atomic_exchange(&lock, 1) != 0) sched_yield();
    lock = 0;
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
