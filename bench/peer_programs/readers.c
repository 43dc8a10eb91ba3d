// One thread writes x; N readers each read their own variable and then x: 2^N executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 13
#endif
static atomic_int x, own[N + 1];
static void* body(void* argument) {
    const intptr_t id = (intptr_t)argument;
    if (id == 0) {
        x = 1;
    } else {
        const int mine = own[id], seen = x;
        (void)mine;
        (void)seen;
    }
    return 0;
}
int main(void) {
    pthread_t threads[N + 1];
    for (intptr_t i = 0; i <= N; ++i) pthread_create(&threads[i], 0, body, (void*)i);
    for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
    return 0;
}
