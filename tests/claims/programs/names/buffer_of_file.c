// Two threads share a file; the first one that writes to it makes libc allocate its buffer.
// expect: ok
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static FILE* file;
static int* kept[2];

static void* write_and_keep(void* number) {
    fputs("a line\n", file);
    int* block = malloc(sizeof *block);
    *block = 1;
    pthread_mutex_lock(&shared);
    kept[(long)number] = block;
    pthread_mutex_unlock(&shared);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    file = fopen("/dev/null", "w");
    for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, write_and_keep, (void*)i);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    fclose(file);
    free(kept[0]);
    free(kept[1]);
    return 0;
}
