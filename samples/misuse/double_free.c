/* bug: two threads read the buffer pointer before either clears it, and both free the buffer; preemptions: 1 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char* buffer;

static char* get(void) {
    pthread_mutex_lock(&m);
    char* const result = buffer;
    pthread_mutex_unlock(&m);
    return result;
}

static void forget(void) {
    pthread_mutex_lock(&m);
    buffer = NULL;
    pthread_mutex_unlock(&m);
}

static void* release(void* unused) {
    (void)unused;
    char* const mine = get();
    if (mine == NULL) return NULL;
    free(mine);
    forget();
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    buffer = malloc(4096);
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, release, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    return 0;
}
