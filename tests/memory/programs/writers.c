// N atomic writes of one variable: N! graphs.
#include "threads.h"
atomic_int x;  // not static: clang removes variables that are never read in the file
static void* body(void* argument) {
    x = (int)(intptr_t)argument;
    return 0;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
