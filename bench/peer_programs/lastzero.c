// One thread searches for the last zero; the i-th of N others sets a[i] to a[i-1] + 1.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 10
#endif
static atomic_int a[N + 1];
static void* body(void* argument) {
    const intptr_t id = (intptr_t)argument;
    if (id == 0) {
        int i = N;
        while (a[i] != 0) --i;
    } else {
        a[id] = a[id - 1] + 1;
    }
    return 0;
}
int main(void) {
    pthread_t threads[N + 1];
    for (intptr_t i = 0; i <= N; ++i) pthread_create(&threads[i], 0, body, (void*)i);
    for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
    return 0;
}
