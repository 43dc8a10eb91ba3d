// Waits for a flag that is never set.
#include <sched.h>

#include "threads.h"
atomic_int flag, other;  // not static: clang treats a variable that is never set in the file as a constant
static void* body(void* argument) {
    if ((intptr_t)argument == 0)
        other = 1;
    else
        while (!flag) sched_yield();
    return argument;
}
int main(int argc, char** argv) { flag = 0; return start(argc, argv, 0, body); }
