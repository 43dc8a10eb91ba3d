// A thread joins itself by the id in main's frame: EDEADLK, unless main has returned.
// modes: default races kernel tsan
// expect: assertion, misuse
#include <assert.h>
#include <pthread.h>

static void* join_self(void* id) {
    int error = pthread_join(*(pthread_t*)id, 0);
    assert(error != 35);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, join_self, &id);
    return 0;
}
