/* bug: a thread finds no request to join it and detaches itself, and then main joins it; preemptions: 1 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int will_be_joined;

static void* work(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    if (!will_be_joined) pthread_detach(pthread_self());
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_lock(&m);
    will_be_joined = 1;
    pthread_mutex_unlock(&m);
    pthread_join(worker, NULL);
    return 0;
}
