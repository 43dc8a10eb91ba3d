/* bug: the lock is released between the test and the wait, and the signal falls in between; preemptions: 1 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static int is_ready(void) {
    pthread_mutex_lock(&m);
    const int answer = ready;
    pthread_mutex_unlock(&m);
    return answer;
}

static void* waiter(void* unused) {
    (void)unused;
    while (!is_ready()) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&changed, &m);
        pthread_mutex_unlock(&m);
    }
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
