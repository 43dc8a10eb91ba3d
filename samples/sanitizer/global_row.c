/* bug: the row to write to is chosen before a lock is taken, and another thread has filled the table by then; preemptions: 1 */
#include <pthread.h>
#include <stdio.h>
// build: -fsanitize=address
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rows[2];
static int next_row;

static void* store(void* unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    const int full = next_row == 2;
    pthread_mutex_unlock(&lock);
    if (full) return 0;
    pthread_mutex_lock(&lock);
    rows[next_row] = 7;
    ++next_row;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, store, 0);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
    printf("%d\n", rows[0] + rows[1]);
    return 0;
}
