// N threads put four messages each into a table of 128 slots, by compare-exchange.
#include "threads.h"
static atomic_int table[128];
static void* body(void* argument) {
    const int tid = (int)(intptr_t)argument;
    int m = 0;
    while (m < 4) {
        const int w = ++m * 11 + tid;
        int h = w * 7 % 128;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[h], &empty, w)) break;
            h = (h + 1) % 128;
        }
    }
    return 0;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
