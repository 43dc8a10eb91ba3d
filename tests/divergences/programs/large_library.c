// A variable of a library decides, and the library has too much code to be looked at.
// library: large.c
// cause: liblarge.so
// try: --instrument
#include <pthread.h>
int is_first(void);
static pthread_mutex_t locks[2];
static void* body(void* argument) {
    pthread_mutex_t* const one = &locks[is_first()];
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
