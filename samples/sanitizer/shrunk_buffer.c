/* bug: one thread replaces a buffer by a smaller one between another's look at its size and its write; preemptions: 1 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
// build: -fsanitize=address
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char* buffer;
static size_t size = 24;

static void* fill(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    const size_t wanted = size;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    memset(buffer, 'x', wanted);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void* shrink(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    free(buffer);
    size = 8;
    buffer = malloc(size);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    buffer = malloc(size);
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, fill, NULL);
    pthread_create(&threads[1], NULL, shrink, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    free(buffer);
    return 0;
}
