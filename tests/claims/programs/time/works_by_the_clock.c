// Two threads work until the clock says that a second is over. The order in which they lock is open; one expects to lock last.
// expect: ok
// expect -- last: assertion
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last;
static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}
static void* work(void* number) {
    for (const long end = now() + 1000; now() < end;) {
        pthread_mutex_lock(&mutex);
        last = (int)(long)number;
        pthread_mutex_unlock(&mutex);
    }
    return number;
}
int main(int words, char** word) {
    (void)word;
    pthread_t threads[2];
    for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, (void*)(i + 1));
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    if (words > 1) assert(last == 2);
    return 0;
}
