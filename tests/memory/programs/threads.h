// Shared by the programs here: main only starts threads and joins them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define MOST 16
static int size;

static int start(int argc, char** argv, int threads_more, void* (*body)(void*)) {
    pthread_t threads[MOST];
    size = argc > 1 ? atoi(argv[1]) : 2;
    const int count = size + threads_more;
    for (intptr_t i = 0; i < count; ++i) pthread_create(&threads[i], 0, body, (void*)i);
    for (int i = 0; i < count; ++i) pthread_join(threads[i], 0);
    return 0;
}
