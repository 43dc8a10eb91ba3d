/* bug: a thread finds the number of samples positive, another resets it, and the first divides by it; preemptions: 1 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int sum = 12, samples = 3;

static int get(const int* variable) {
    pthread_mutex_lock(&m);
    const int value = *variable;
    pthread_mutex_unlock(&m);
    return value;
}

static void* report(void* unused) {
    (void)unused;
    if (get(&samples) > 0) printf("average %d\n", get(&sum) / get(&samples));
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
