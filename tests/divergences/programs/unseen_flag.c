// A plain variable decides, and at the level of calls nobody looks at it. Each schedule repeats.
// options: --memory sync
// cause: no call orders the accesses to begun
// repeated: it did the same in 8 of 8
// try: --memory races: with it,
#include <pthread.h>
static pthread_mutex_t lock, other = PTHREAD_MUTEX_INITIALIZER;
static volatile int begun;
static void* body(void* argument) {
    pthread_mutex_t* const one = begun ? &other : &lock;
    begun = 1;
    pthread_mutex_lock(one);
    pthread_mutex_unlock(one);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
