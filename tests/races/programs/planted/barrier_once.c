#include "../two.h"
static pthread_barrier_t both;
int phase[2];
static void* first(void* unused) {
    phase[0] = 1;  // before both threads have arrived
    pthread_barrier_wait(&both);
    phase[1] = 2;  // race
    return unused;
}
static void* second(void* sum) {
    pthread_barrier_wait(&both);
    *(int*)sum = phase[1];  // race
    return 0;
}
int main(void) {
    int sum = 0;
    pthread_barrier_init(&both, 0, 2);
    return run(first, second, &sum);
}
