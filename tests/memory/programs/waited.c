// The exit status tells whether the thread had to wait.
#include "threads.h"
static atomic_int flag, had_to_wait;
static void* body(void* argument) {
    int waited = 0;
    if ((intptr_t)argument == 0) {
        flag = 1;
        return argument;
    }
    while (!flag) waited = 1;
    if (waited) had_to_wait = 1;
    return argument;
}
int main(int argc, char** argv) {
    start(argc, argv, 0, body);
    return had_to_wait;
}
