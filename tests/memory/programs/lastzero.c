// T0 searches for the last zero; Tj sets a[j] to a[j-1] + 1.
#include "threads.h"
static atomic_int a[MOST + 1];
static void* body(void* argument) {
    const intptr_t id = (intptr_t)argument;
    if (id == 0) {
        int i = size;
        while (a[i] != 0) --i;
    } else {
        a[id] = a[id - 1] + 1;
    }
    return 0;
}
int main(int argc, char** argv) { return start(argc, argv, 1, body); }
