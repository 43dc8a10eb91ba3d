// Waits for either of two flags, set one after the other; the flag seen first decides the exit status.
#include "threads.h"
static atomic_int a, b;
static int seen;
static void* body(void* argument) {
    if ((intptr_t)argument == 0) {
        a = 1;
        b = 1;
        return argument;
    }
    for (;;) {
        if (a) {
            seen = 1;
            break;
        }
        if (b) {
            seen = 2;
            break;
        }
    }
    return argument;
}
int main(int argc, char** argv) {
    start(argc, argv, 0, body);
    return seen == 2;
}
