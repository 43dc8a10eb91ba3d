// The first thread that prints makes libc allocate the buffer of stdout; its own blocks must not move by that.
// expect: ok
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;

static void* print_and_lock(void* number) {
    printf("thread %ld\n", (long)number);
    pthread_mutex_t* own = malloc(sizeof *own);
    pthread_mutex_init(own, NULL);
    pthread_mutex_lock(own);
    pthread_mutex_lock(&shared);
    pthread_mutex_unlock(&shared);
    pthread_mutex_unlock(own);
    pthread_mutex_destroy(own);
    free(own);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, print_and_lock, (void*)i);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return 0;
}
