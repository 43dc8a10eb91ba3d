/* ok: both threads protect the counter by the same lock */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int lines;

static void log_value(void) {
    pthread_mutex_lock(&log_lock);
    ++lines;
    pthread_mutex_unlock(&log_lock);
}

static void* count(void* lock) {
    pthread_mutex_lock(lock);
    log_value();
    const int seen = counter;
    log_value();
    counter = seen + 1;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, count, &counter_lock);
    pthread_create(&second, NULL, count, &counter_lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(counter == 2);
    return 0;
}
