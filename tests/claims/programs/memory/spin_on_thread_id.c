// Main spins until another thread's pthread_create has written an id, and joins that thread.
// expect: ok
#include <pthread.h>

static volatile pthread_t inner;

static void* nothing(void* argument) { return argument; }

static void* start_inner(void* argument) {
    pthread_create((pthread_t*)&inner, 0, nothing, 0);
    return argument;
}

int main(void) {
    pthread_t outer;
    pthread_create(&outer, 0, start_inner, 0);
    while (inner == 0) {}
    pthread_join(outer, 0);
    pthread_join(inner, 0);
    return 0;
}
