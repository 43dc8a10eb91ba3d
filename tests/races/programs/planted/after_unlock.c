#include "../two.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, late;
static void* give(void* unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    late = 3;  // race
    return unused;
}
static void* take(void* result) {
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    *(int*)result = late;  // race
    return 0;
}
int main(void) {
    int result = 0;
    return run(give, take, &result);
}
