/* bug: a waiter tests and waits in two critical sections, so the signal may come in between; preemptions: 1 */
// lost_wakeup [N]: N idle workers (10) wait beside it for a job that never comes, until main shuts them down.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready_changed = PTHREAD_COND_INITIALIZER;
static int ready;

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_changed = PTHREAD_COND_INITIALIZER;
static int pool_closed;

static int is_ready(void) {
    pthread_mutex_lock(&lock);
    const int now = ready;
    pthread_mutex_unlock(&lock);
    return now;
}

static void* wait_for_it(void* unused) {
    (void)unused;
    if (is_ready()) return NULL;
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready_changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void* announce(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&ready_changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void* idle(void* unused) {
    (void)unused;
    pthread_mutex_lock(&pool_lock);
    while (!pool_closed) pthread_cond_wait(&pool_changed, &pool_lock);
    pthread_mutex_unlock(&pool_lock);
    return NULL;
}

int main(int count, char** arguments) {
    const int workers = count > 1 ? atoi(arguments[1]) : 10;
    pthread_t* pool = calloc(workers + 1, sizeof *pool);
    pthread_t waiter, announcer;
    for (int i = 0; i < workers; ++i) pthread_create(&pool[i], NULL, idle, NULL);
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    pthread_create(&announcer, NULL, announce, NULL);
    pthread_join(announcer, NULL);
    pthread_join(waiter, NULL);
    pthread_mutex_lock(&pool_lock);
    pool_closed = 1;
    pthread_cond_broadcast(&pool_changed);
    pthread_mutex_unlock(&pool_lock);
    for (int i = 0; i < workers; ++i) pthread_join(pool[i], NULL);
    free(pool);
    return 0;
}
