/* ok: a counter is read and written in one critical section */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* count(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    ++counter;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, count, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    if (counter == 2) return 0;
    fprintf(stderr, "counted %d of 2\n", counter);
    return 1;
}
