// The counters of --coverage belong to the compiler: both threads count there, and share nothing else.
// build: --coverage
// modes: races kernel
// expect --max-execs 1: ok
#include <pthread.h>
#include <stdio.h>

static int twice(int number) { return number > 1 ? 2 * number : number; }

static void* work(void* argument) {
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += twice(i);
    return sum == 5 ? argument : NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
