/* ok: a thread that may detach itself is joined only if it did not */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int will_be_joined;
static int is_detached;

static void* work(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    if (!will_be_joined) {
        is_detached = 1;
        pthread_detach(pthread_self());
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_lock(&m);
    will_be_joined = !is_detached;
    const int join = will_be_joined;
    pthread_mutex_unlock(&m);
    if (join) pthread_join(worker, NULL);
    return 0;
}
