// Waits for a flag that a handler sets after a child has ended (two threads), or after a child has sent a signal (three).
#include <signal.h>
#include <unistd.h>

#include "threads.h"
static atomic_int flag;
static void set(int signal) { flag = signal; }
static void* body(void* argument) {
    if ((intptr_t)argument == 0 && fork() == 0) {
        if (size == 3) kill(getppid(), SIGUSR1);
        _exit(0);
    }
    if ((intptr_t)argument == 0)
        while (!flag) {}
    return argument;
}
int main(int argc, char** argv) {
    signal(argc > 1 && argv[1][0] == '3' ? SIGUSR1 : SIGCHLD, set);
    return start(argc, argv, 0, body);
}
