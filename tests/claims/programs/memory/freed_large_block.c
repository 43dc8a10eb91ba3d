// A thread writes to the end of a large block that main may have freed.
// modes: default races kernel tsan
// expect -- 600: misuse
// expect -- 5000: misuse
// expect -- 3000000: misuse
#include <pthread.h>
#include <stdlib.h>

static long bytes;

static void* use(void* block) {
    ((char*)block)[bytes - 1] = 1;
    return 0;
}

int main(int count, char** values) {
    pthread_t thread;
    bytes = atol(values[1]);
    char* block = malloc((size_t)bytes);
    pthread_create(&thread, 0, use, block);
    free(block);
    pthread_join(thread, 0);
    return 0;
}
