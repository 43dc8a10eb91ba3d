// A thread changes main's thread-local variable through a pointer while main increments it.
// modes: default races kernel tsan
// expect: exit_status
#include <pthread.h>

static __thread int variable = 42;

static void* change(void* place) {
    *(int*)place = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, &variable);
    variable++;
    int found = variable;
    pthread_join(thread, 0);
    return found == 2;
}
