// A thread reads its own id from the variable that pthread_create wrote: glibc writes it before the thread starts.
// modes: default races kernel tsan
// expect: ok
#include <assert.h>
#include <pthread.h>

static pthread_t id[2];

static void* compare(void* own) {
    assert(pthread_equal(*(pthread_t*)own, pthread_self()));
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; ++i) pthread_create(&id[i], 0, compare, &id[i]);
    for (int i = 0; i < 2; ++i) pthread_join(id[i], 0);
    return 0;
}
