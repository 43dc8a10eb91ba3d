// Two locks order nothing between the threads: at level calls, one schedule stands for both orders of the accesses.
// expect: assertion
// expect --memory sync: incomplete "no call orders the accesses to ready"
// expect --memory sync -- locked: ok
// modes: default kernel
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t* seconds_lock = &second;
static int ready, expects_ready = 1;
static void* write_it(void* unused) {
    pthread_mutex_lock(&first);
    ready = 1;
    pthread_mutex_unlock(&first);
    return unused;
}
static void* read_it(void* unused) {
    pthread_mutex_lock(seconds_lock);
    assert(ready == 1 || !expects_ready);
    pthread_mutex_unlock(seconds_lock);
    return unused;
}
int main(int words, char** word) {
    (void)word;
    if (words > 1) {
        seconds_lock = &first;
        expects_ready = 0;
    }
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write_it, NULL);
    pthread_create(&threads[1], NULL, read_it, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
