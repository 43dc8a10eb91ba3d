/* ok: main destroys the mutex after it has joined the thread that locks it once more */
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, statistics;

static void* work(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    ++statistics;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t worker;
    pthread_mutex_init(&m, NULL);
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_lock(&m);
    while (!done) pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    pthread_join(worker, NULL);
    pthread_mutex_destroy(&m);
    return 0;
}
