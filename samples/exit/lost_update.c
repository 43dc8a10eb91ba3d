/* bug: a counter is read and written in two critical sections, and main exits with status 1; preemptions: 1 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int get(void) {
    pthread_mutex_lock(&m);
    const int value = counter;
    pthread_mutex_unlock(&m);
    return value;
}

static void set(int value) {
    pthread_mutex_lock(&m);
    counter = value;
    pthread_mutex_unlock(&m);
}

static void* count(void* unused) {
    (void)unused;
    set(get() + 1);
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
