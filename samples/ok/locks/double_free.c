/* ok: the thread that takes the buffer out is the only one that frees it */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char* buffer;

static char* take(void) {
    pthread_mutex_lock(&m);
    char* const result = buffer;
    buffer = NULL;
    pthread_mutex_unlock(&m);
    return result;
}

static void* release(void* unused) {
    (void)unused;
    free(take());
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    buffer = malloc(4096);
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, release, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    return 0;
}
