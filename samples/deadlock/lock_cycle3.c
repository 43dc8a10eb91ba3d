/* bug: three threads take three locks in a circle, each holding one and waiting for the next; preemptions: 1 */
/* One preemption is enough: it stops one thread that holds its first lock. Then the other threads, run in reverse
   order round the circle, block one after another. */
#include <pthread.h>

enum { n = 3 };

static pthread_mutex_t lock[n] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int stock[n] = {10, 10, 10};
static int index_of[n] = {0, 1, 2};

static void* move(void* arg) {
    const int from = *(int*)arg;
    const int to = (from + 1) % n;
    pthread_mutex_lock(&lock[from]);
    pthread_mutex_lock(&lock[to]);
    --stock[from];
    ++stock[to];
    pthread_mutex_unlock(&lock[to]);
    pthread_mutex_unlock(&lock[from]);
    return NULL;
}

int main(void) {
    pthread_t thread[n];
    for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, move, &index_of[i]);
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    return 0;
}
