// Main returns while its threads may still run.
// expect: assertion
#include <pthread.h>
#include <stdlib.h>
static int x, y;
static void* first(void* unused) {
    x = 1;
    if (y) abort();
    return unused;
}
static void* second(void* unused) {
    y = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    return 0;
}
