/* bug: a thread whose trylock failed unlocks anyway, and so releases another thread's lock; preemptions: 1 */
#include <pthread.h>
// run: --bound 1
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int exact, estimate;

static void* count(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    ++exact;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* look(void* unused) {
    (void)unused;
    if (pthread_mutex_trylock(&m) == 0) estimate = exact;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t counter, observer;
    pthread_create(&counter, NULL, count, NULL);
    pthread_create(&observer, NULL, look, NULL);
    pthread_join(counter, NULL);
    pthread_join(observer, NULL);
    return estimate > exact;
}
