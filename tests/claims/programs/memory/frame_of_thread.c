// A thread hands the address of its own variable to main, which uses it after the thread has ended.
// modes: default races kernel tsan
// expect -- local: misuse
// expect -- thread_local: misuse
#include <pthread.h>
#include <string.h>

static __thread int own = 3;
static int is_local;

static void* give(void* argument) {
    volatile int variable = 3;
    volatile int* volatile place = is_local ? &variable : &own;
    return (void*)place;
}

int main(int count, char** values) {
    pthread_t thread;
    void* place;
    is_local = strcmp(values[1], "local") == 0;
    pthread_create(&thread, 0, give, 0);
    pthread_join(thread, &place);
    *(volatile int*)place = 4;
    return 0;
}
