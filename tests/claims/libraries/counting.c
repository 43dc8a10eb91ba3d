// Two threads add to a counter without a lock.
#include <pthread.h>
static volatile int counter;
static void* add(void* unused) {
    const int before = counter;
    counter = before + 1;
    return unused;
}
int count_in_threads(void) {
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return counter != 2;
}
