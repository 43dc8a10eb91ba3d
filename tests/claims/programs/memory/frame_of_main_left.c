// A thread uses a variable of main's frame, which main may have left by pthread_exit.
// modes: default races kernel tsan
// expect: misuse
#include <pthread.h>

static void* use(void* variable) {
    *(int*)variable = 1;
    return 0;
}

int main(void) {
    int variable = 7;
    pthread_t thread;
    pthread_create(&thread, 0, use, &variable);
    pthread_exit(0);
}
