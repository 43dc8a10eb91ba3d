// The order of two critical sections of different mutexes decides: no preemption is needed to fail.
// modes: default races kernel tsan
// expect: assertion
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static void* writer(void* unused) {
    pthread_mutex_lock(&a);
    ready = 1;
    pthread_mutex_unlock(&a);
    return unused;
}
static void* reader(void* unused) {
    pthread_mutex_lock(&b);
    assert(ready == 1);
    pthread_mutex_unlock(&b);
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
