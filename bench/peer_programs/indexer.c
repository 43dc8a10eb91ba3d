// N threads put four messages each into a table of 128 slots, by compare-exchange.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 15
#endif
static atomic_int table[128];
static void* body(void* argument) {
    const int id = (int)(intptr_t)argument;
    for (int message = 1; message <= 4; ++message) {
        const int word = message * 11 + id;
        int slot = word * 7 % 128;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[slot], &empty, word)) break;
            slot = (slot + 1) % 128;
        }
    }
    return 0;
}
int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; ++i) pthread_create(&threads[i], 0, body, (void*)i);
    for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
    return 0;
}
