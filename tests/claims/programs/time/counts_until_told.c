// A thread counts in memory, without any call, until main says that it is enough.
// modes: default races
// expect --bound 1: bounded ok
#include <pthread.h>
#include <unistd.h>
static volatile int goes_on = 1;
static volatile long count;
static void* work(void* unused) {
    while (goes_on) ++count;
    return unused;
}
int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    sleep(1);
    goes_on = 0;
    pthread_join(worker, NULL);
    return 0;
}
