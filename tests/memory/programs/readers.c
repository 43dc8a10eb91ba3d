// One thread writes x; N readers each read their own variable and then x: 2^N graphs.
#include "threads.h"
static atomic_int x, own[MOST];
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
int main(int argc, char** argv) { return start(argc, argv, 1, body); }
