// A thread joins itself by the id in a global variable: a misuse with EDEADLK, and a failed assertion unless main ends
// the process before.
// modes: default races kernel tsan
// expect: assertion, misuse
#include <assert.h>
#include <pthread.h>

static pthread_t id;

static void* join_self(void* argument) {
    int error = pthread_join(id, 0);
    assert(error != 35);
    return argument;
}

int main(void) {
    pthread_create(&id, 0, join_self, 0);
    return 0;
}
