/* bug: threads increment a counter under lock A, and one of them under lock B; preemptions: 1 */
// wrong_lock [N]: N threads (8) under lock A, one under lock B.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

static void* increment(void* lock) {
    pthread_mutex_lock(lock);
    const int before = counter;
    counter = before + 1;
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(int count, char** arguments) {
    const int right = count > 1 ? atoi(arguments[1]) : 8;
    pthread_t* thread = calloc(right + 1, sizeof *thread);
    for (int i = 0; i < right; ++i) pthread_create(&thread[i], NULL, increment, &lock_a);
    pthread_create(&thread[right], NULL, increment, &lock_b);
    for (int i = 0; i <= right; ++i) pthread_join(thread[i], NULL);
    assert(counter == right + 1);
    free(thread);
    return 0;
}
