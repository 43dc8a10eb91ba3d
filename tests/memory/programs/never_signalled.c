// Waits for a flag that only the handler of a signal sets, but the signal is never sent.
#include <signal.h>

#include "threads.h"
static atomic_int flag, other;
static void set(int signal) { flag = signal; }
static void* body(void* argument) {
    if ((intptr_t)argument == 0)
        other = 1;
    else
        while (!flag) {}
    return argument;
}
int main(int argc, char** argv) {
    signal(SIGUSR1, set);
    return start(argc, argv, 0, body);
}
