// A thread's way depends on the processor's clock, which it keeps in a variable.
// cause: T1 executed rdtsc in draw (prog.c:
// memory: choice (prog) held
// try: no setting helped
#include <pthread.h>
#include <x86intrin.h>
static pthread_mutex_t locks[64];
static unsigned long choice;
static void draw(void) {
    choice = __rdtsc();
    choice ^= choice >> 7;
}
static void* body(void* argument) {
    for (int i = 0; i < 4; ++i) {
        draw();
        pthread_mutex_t* const one = &locks[choice & 63];
        pthread_mutex_lock(one);
        pthread_mutex_unlock(one);
    }
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
