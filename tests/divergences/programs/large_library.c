// A variable of a library decides, and the user left the library out.
// library: large.c
// options: --strategy bounded --no-instrument liblarge.so
// cause: liblarge.so
// repeated: it did the same in 8 of 8
// try: --instrument
#include <pthread.h>
int is_first(void);
static pthread_mutex_t lock;
static void* body(void* argument) {
    if (is_first()) pthread_mutex_init(&lock, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
