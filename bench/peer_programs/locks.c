// N threads each lock and unlock one mutex K times: (NK)! / (K!)^N executions.
#include <pthread.h>
#ifndef N
#define N 4
#endif
#ifndef K
#define K 3
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void* body(void* unused) {
    (void)unused;
    for (int i = 0; i < K; ++i) {
        pthread_mutex_lock(&mutex);
        ++counter;
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}
int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, body, 0);
    for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
    return counter == N * K ? 0 : 1;
}
