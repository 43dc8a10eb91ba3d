// Main spins on a volatile variable.
// expect: ok
#include <pthread.h>
static volatile int flag;
static void* raise_flag(void* unused) {
    flag = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, raise_flag, 0);
    while (!flag) {}
    return pthread_join(thread, 0);
}
