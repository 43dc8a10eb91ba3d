/* bug: in each round two threads take the same two locks in opposite order; preemptions: 1 */
// lock_order [ROUNDS]: the deadlock is possible in each round (32), so also in the first. A round has two orders without a
// preemption, so R rounds have 2 to the power of R.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int jobs_done;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    ++jobs_done;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void* forward(void* unused) {
    (void)unused;
    both(&a, &b);
    return NULL;
}

static void* backward(void* unused) {
    (void)unused;
    both(&b, &a);
    return NULL;
}

int main(int count, char** arguments) {
    const int rounds = count > 1 ? atoi(arguments[1]) : 32;
    for (int i = 0; i < rounds; ++i) {
        pthread_t thread[2];
        pthread_create(&thread[0], NULL, forward, NULL);
        pthread_create(&thread[1], NULL, backward, NULL);
        for (int k = 0; k < 2; ++k) pthread_join(thread[k], NULL);
    }
    return jobs_done == 2 * rounds ? 0 : 1;
}
