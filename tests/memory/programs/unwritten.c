// A thread writes to uninitialised variables of main, and main reads them.
#include <pthread.h>

enum { room = 256 };

static void* body(void* argument) {
    for (int i = 0; i < room; ++i) ((volatile long*)argument)[i] = 1;
    return 0;
}
int main(void) {
    volatile long mine[room];
    pthread_t thread;
    pthread_create(&thread, 0, body, (void*)mine);
    pthread_join(thread, 0);
    long sum = 0;
    for (int i = 0; i < room; ++i) sum += mine[i];
    return sum == room ? 0 : 1;
}
