// Handles the signals of faults, like programs with crash reports, and executes its own traps.
#include <pthread.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t traps;
static int words[4] = {7};
static int* volatile at = words;

static void on_fault(int signal) {
    if (signal == SIGTRAP) traps = traps + 1;
}

static void* body(void* argument) {
    __asm__ volatile("int3");
    int** const where = argument;
    return **where == 7 ? argument : 0;
}

int main(void) {
    const int faults[] = {SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; ++i) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = on_fault;
        action.sa_flags = SA_ONSTACK | SA_NODEFER;
        sigfillset(&action.sa_mask);
        sigaction(faults[i], &action, 0);
    }
    pthread_t thread;
    int* where = at;
    void* result;
    pthread_create(&thread, 0, body, &where);
    pthread_join(thread, &result);
    __asm__ volatile("int3");
    return result != 0 && traps == 2 ? 0 : 1;
}
