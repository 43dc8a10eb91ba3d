// A thread reads a variable of main's frame, and main does not wait for it. Schedules of calls do not show that.
// expect: misuse
// expect --memory sync: incomplete "ends its life at"
// modes: default kernel
#include <pthread.h>
static int result;
static void* reader(void* variable) {
    result = *(volatile int*)variable;
    return NULL;
}
int main(void) {
    volatile int variable = 7;
    pthread_t thread;
    pthread_create(&thread, NULL, reader, (void*)&variable);
    return 0;
}
