// A plain variable decides, and at the level of calls nobody looks at it. Each schedule repeats.
// options: --memory sync
// cause: no call orders the accesses to begun
// repeated: it did the same in 8 of 8
// try: --memory races: with it,
#include <pthread.h>
static pthread_mutex_t lock;
static volatile int begun;
static void* body(void* argument) {
    if (!begun) {
        pthread_mutex_init(&lock, 0);
        begun = 1;
    }
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
