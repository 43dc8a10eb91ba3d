// Polls a flag with a sleep in between: 1 graph, or one more read.
#include <time.h>

#include "threads.h"
static atomic_int flag;
static void* body(void* argument) {
    const struct timespec while_ = {0, 1000};
    if ((intptr_t)argument == 0)
        flag = 1;
    else
        while (!flag) nanosleep(&while_, 0);
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
