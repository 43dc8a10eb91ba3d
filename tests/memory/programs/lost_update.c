// Two threads increment a counter once each, without a lock.
#include <pthread.h>
static int x;
static void* body(void* argument) {
    x++;
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return x == 2 ? 0 : 1;
}
