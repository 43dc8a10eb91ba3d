// Spins until a flag is set.
#include <pthread.h>
static volatile int flag;
static void* waits(void* argument) {
    while (!flag) {}
    return argument;
}
static void* sets(void* argument) {
    flag = 1;
    return argument;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, waits, 0);
    pthread_create(&threads[1], 0, sets, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
