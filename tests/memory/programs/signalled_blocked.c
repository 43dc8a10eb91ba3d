// Waits for a flag set by its signal handler, and unblocks the signal only between its reads.
#include <signal.h>
#include <unistd.h>

#include "threads.h"
static atomic_int flag;
static void set(int signal) { flag = signal; }
static void* body(void* argument) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    if ((intptr_t)argument == 0) {
        kill(getpid(), SIGUSR1);
        return argument;
    }
    while (!flag) {
        pthread_sigmask(SIG_UNBLOCK, &one, 0);
        pthread_sigmask(SIG_BLOCK, &one, 0);
    }
    return argument;
}
int main(int argc, char** argv) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, 0);
    signal(SIGUSR1, set);
    return start(argc, argv, 0, body);
}
