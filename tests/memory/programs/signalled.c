// Waits for a flag that only its own signal handler sets, or for either of two flags.
#include <signal.h>

#include "threads.h"
static atomic_int flag, second, ready;
static pthread_t waiting;
static void set(int signal) {
    if (signal == SIGUSR1) flag = 1;
    else second = 1;
}
static void* body(void* argument) {
    if ((intptr_t)argument == 0) {
        while (!ready) {}
        pthread_kill(waiting, SIGUSR1);
        pthread_kill(waiting, SIGUSR2);
    } else {
        waiting = pthread_self();
        ready = 1;
        while (!flag) {}
        while (!second || !flag) {}
    }
    return argument;
}
int main(int argc, char** argv) {
    signal(SIGUSR1, set);
    signal(SIGUSR2, set);
    return start(argc, argv, 0, body);
}
