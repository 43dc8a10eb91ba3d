// N threads take a lock in the order of their tickets: N! graphs.
#include "threads.h"
static atomic_int next, serving;
static void* body(void* argument) {
    const int mine = next++;
    while (serving != mine) {}
    serving = mine + 1;
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
