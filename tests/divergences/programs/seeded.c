// A variable of the environment makes the program repeat itself.
// cause: T1 executed rdtsc
// try: --env FIXED_SEED=0: with it, the schedule did the same
// leaves: ran_with_seed
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>
static pthread_mutex_t locks[4096];
static unsigned long seed;
static void* body(void* argument) {
    const char* const fixed = getenv("FIXED_SEED");
    seed = fixed ? (unsigned long)atoi(fixed) : __rdtsc();
    if (fixed) close(creat("ran_with_seed", 0600));
    seed ^= seed >> 7;
    pthread_mutex_t* const one = &locks[seed & 4095];
    pthread_mutex_lock(one);
    pthread_mutex_unlock(one);
    return argument;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, body, 0);
    pthread_join(thread, 0);
    return 0;
}
