// Keeps an address of the heap in 32 bits: the kernel puts the heap of a program with a fixed address below 4 GiB.
// build: -O1 -no-pie
// expect: ok
#include <pthread.h>
#include <stdlib.h>

static void* nothing(void* p) { return p; }

int main(void) {
    pthread_t thread;
    const unsigned kept = (unsigned)(unsigned long)malloc(64);
    *(volatile int*)(unsigned long)kept = 1;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    const unsigned other = (unsigned)(unsigned long)calloc(1000, 64);
    const int value = ((volatile int*)(unsigned long)other)[15999];
    free((void*)(unsigned long)kept);
    free((void*)(unsigned long)other);
    return value;
}
