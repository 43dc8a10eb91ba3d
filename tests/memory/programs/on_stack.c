// A thread writes to a variable on main's stack, and main reads it.
#include <pthread.h>
static void* body(void* argument) {
    *(volatile int*)argument = 1;
    return 0;
}
int main(void) {
    volatile int mine = 0;
    pthread_t thread;
    pthread_create(&thread, 0, body, (void*)&mine);
    const int seen = mine;
    pthread_join(thread, 0);
    return seen == 2;
}
