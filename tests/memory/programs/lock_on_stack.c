// Threads take a lock on main's stack: N! graphs.
#include "threads.h"
struct Shared {
    atomic_int lock;
    int counter;
};
static struct Shared* shared;
static void* body(void* argument) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&shared->lock, &expected, 1)) expected = 0;
    ++shared->counter;
    shared->lock = 0;
    return argument;
}
int main(int argc, char** argv) {
    struct Shared own = {0, 0};
    shared = &own;
    return start(argc, argv, 0, body) != 0 || own.counter != size;
}
