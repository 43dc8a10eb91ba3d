/* ok: the waiter tests under the lock, before it waits */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t found = PTHREAD_COND_INITIALIZER;
static int is_found;
static int answer;

static void* reader(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    while (!is_found) pthread_cond_wait(&found, &m);
    printf("%d\n", answer);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* finder(void* unused) {
    (void)unused;
    int value = 0;
    for (int i = 0; i < 500000; ++i) value = (value * 31 + i) % 1009;
    pthread_mutex_lock(&m);
    answer = value;
    is_found = 1;
    pthread_cond_signal(&found);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, finder, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
