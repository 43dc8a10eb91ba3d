// The result that pthread_join writes is read by another thread.
// modes: default races kernel tsan
// expect: assertion
#include <assert.h>
#include <pthread.h>

static void* result;

static void* one(void* argument) { return (void*)1; }

static void* join_one(void* argument) {
    pthread_t inner;
    pthread_create(&inner, 0, one, 0);
    pthread_join(inner, &result);
    return argument;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, join_one, 0);
    int seen = result != 0;
    pthread_join(outer, 0);
    assert(!seen);
    return 0;
}
