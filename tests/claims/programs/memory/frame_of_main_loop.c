// Threads get the address of a loop variable of main, which returns.
// modes: default races kernel tsan
// expect: misuse
#include <pthread.h>

static int done[64];

static void* mark(void* variable) {
    done[*(volatile int*)variable & 63] = 1;
    return 0;
}

int main(void) {
    pthread_t thread[2];
    for (volatile int i = 0; i < 2; i++) pthread_create(&thread[i], 0, mark, (void*)&i);
    return 0;
}
