#include "../two.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;
static void* give(void* unused) {
    data = 7;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}
static void* take(void* result) {
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    *(int*)result = data;
    return 0;
}
int main(void) {
    int result = 0;
    run(give, take, &result);
    return result == 7 ? 0 : 1;
}
