/* ok: a thread waits with the mutex held, and holds it again afterwards */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tickets;

static void* sell(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    ++tickets;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* travel(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    while (tickets == 0) pthread_cond_wait(&changed, &m);
    --tickets;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t seller, traveller;
    pthread_create(&seller, NULL, sell, NULL);
    pthread_create(&traveller, NULL, travel, NULL);
    pthread_join(seller, NULL);
    pthread_join(traveller, NULL);
    return 0;
}
