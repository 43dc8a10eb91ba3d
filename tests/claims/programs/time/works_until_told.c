// Two threads work until main, after a second of sleep, says that it is enough. Their work loses an update if told so.
// modes: default kernel
// expect --bound 1: bounded ok
// expect --bound 1 -- careless: bounded assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static int careless;
static volatile int is_inside;
static void* work(void* unused) {
    while (!stop) {
        if (!careless) pthread_mutex_lock(&mutex);
        assert(!is_inside);
        is_inside = 1;
        is_inside = 0;
        if (!careless) pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(int words, char** word) {
    (void)word;
    careless = words > 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    sleep(1);
    stop = 1;
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
