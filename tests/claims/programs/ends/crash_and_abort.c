// One thread crashes and the other aborts, in either order: each cuts the other off.
// expect: assertion, crash
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void* crashes(void* unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    *(volatile int*)unused = 1;
    return unused;
}

static void* aborts(void* unused) {
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    abort();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, crashes, 0);
    pthread_create(&threads[1], 0, aborts, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
