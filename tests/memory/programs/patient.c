// Reads a flag a hundred times, then continues without it.
#include "threads.h"
static atomic_int flag;
static void* body(void* argument) {
    if ((intptr_t)argument != 0) return argument;
    for (int looks = 0; looks < 100 && !flag; ++looks) {}
    flag = 2;
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
