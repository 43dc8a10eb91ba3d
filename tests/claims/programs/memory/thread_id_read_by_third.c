// The thread id that pthread_create writes is read by a third thread.
// modes: default races kernel tsan
// expect: assertion
#include <assert.h>
#include <pthread.h>

static pthread_t inner;

static void* nothing(void* argument) { return argument; }

static void* start_inner(void* argument) {
    pthread_create(&inner, 0, nothing, 0);
    return argument;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, start_inner, 0);
    int seen = inner != 0;
    pthread_join(outer, 0);
    assert(!seen);
    return 0;
}
