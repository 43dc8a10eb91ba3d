/* ok: three threads take neighbouring locks in one global order, so there is no circle */
#include <pthread.h>

enum { n = 3 };

static pthread_mutex_t lock[n] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int stock[n] = {10, 10, 10};
static int index_of[n] = {0, 1, 2};

static void* move(void* arg) {
    const int from = *(int*)arg;
    const int to = (from + 1) % n;
    const int lower = from < to ? from : to;
    const int higher = from < to ? to : from;
    pthread_mutex_lock(&lock[lower]);
    pthread_mutex_lock(&lock[higher]);
    --stock[from];
    ++stock[to];
    pthread_mutex_unlock(&lock[higher]);
    pthread_mutex_unlock(&lock[lower]);
    return NULL;
}

int main(void) {
    pthread_t thread[n];
    for (int i = 0; i < n; ++i) pthread_create(&thread[i], NULL, move, &index_of[i]);
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    return 0;
}
