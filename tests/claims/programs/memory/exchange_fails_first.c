// An exchange leaves a variable unchanged when it is first executed, and changes it the next time.
// modes: default races kernel tsan
// expect: exit_status
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int variable;

static void* exchange(void* argument) {
    for (volatile int i = 0; i < 2; ++i) {
        int expected = i == 0 ? 5 : 0;
        atomic_compare_exchange_strong(&variable, &expected, 1);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, exchange, 0);
    int found = variable;
    pthread_join(thread, 0);
    return found;
}
