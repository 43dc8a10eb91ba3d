// N threads of a program with an unused signal handler take a lock: N! graphs.
#include <signal.h>

#include "threads.h"
static atomic_int lock, calls;
static void count(int signal) { calls += signal; }
static void* body(void* argument) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1)) expected = 0;
    lock = 0;
    return argument;
}
int main(int argc, char** argv) {
    signal(SIGUSR1, count);
    return start(argc, argv, 0, body) != 0 || calls != 0;
}
