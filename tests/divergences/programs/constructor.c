// All executions of one process agree, as the clock was read at its start; only another launch differs.
// cause: T0 executed rdtsc in early (prog.c:
// memory: when (prog) held
// memory: from before its second thread began
// repeated: another launch of the program
// try: no setting helped
#include <pthread.h>
#include <x86intrin.h>
static pthread_mutex_t locks[4096];
static unsigned long when;
__attribute__((constructor)) static void early(void) {
    when = __rdtsc();
    when ^= when >> 9;
}
static void* body(void* argument) {
    pthread_mutex_t* const one = &locks[when & 4095];
    pthread_mutex_lock(one);
    pthread_mutex_unlock(one);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
