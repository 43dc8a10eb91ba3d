/* ok: test and wait are one critical section, so no signal falls in between */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void wait_until_ready(void) {
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
}

static void* waiter(void* unused) {
    (void)unused;
    wait_until_ready();
    return NULL;
}

static void* setter(void* unused) {
    (void)unused;
    for (volatile int i = 0; i < 300000; ++i) continue; /* the preparation takes some time */
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, NULL);
    pthread_create(&second, NULL, setter, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
