// Main spins on a flag before it does anything else.
// modes: default races kernel tsan
// expect: ok
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
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
