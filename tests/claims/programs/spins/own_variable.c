// A thread waits for a thread-local variable of its own. Nothing can change it, unless it told another thread the address.
// expect --exec-timeout 2: livelock
// expect --exec-timeout 2 -- shared: ok
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local volatile int done;
static volatile int* _Atomic where;
static void* wait_for_it(void* shared) {
    if (shared != NULL) where = &done;
    while (!done) {
    }
    return NULL;
}
static void* set(void* unused) {
    volatile int* variable;
    while ((variable = where) == NULL) {
    }
    *variable = 1;
    return unused;
}
int main(int words, char** word) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait_for_it, words > 1 ? word : NULL);
    if (words > 1) pthread_create(&threads[1], NULL, set, NULL);
    pthread_join(threads[0], NULL);
    if (words > 1) pthread_join(threads[1], NULL);
    return 0;
}
