/* ok: the test of the number of samples and the division are under one lock */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum = 12, samples = 3;

static void* report(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    const int average = samples > 0 ? sum / samples : 0;
    pthread_mutex_unlock(&m);
    printf("average %d\n", average);
    return NULL;
}

static void* reset(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    sum = samples = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t reporter, resetter;
    pthread_create(&reporter, NULL, report, NULL);
    pthread_create(&resetter, NULL, reset, NULL);
    pthread_join(reporter, NULL);
    pthread_join(resetter, NULL);
    return 0;
}
