// A thread reads a variable of main's frame. Main may have returned.
// modes: default races kernel tsan
// expect: assertion, misuse
#include <assert.h>
#include <pthread.h>

static void* use(void* variable) {
    int found = *(volatile int*)variable;
    assert(found != 7);
    return 0;
}

int main(void) {
    volatile int variable = 7;
    pthread_t thread;
    pthread_create(&thread, 0, use, (void*)&variable);
    return 0;
}
