/* bug: an update is dropped when the lock is busy, and no later update makes up for it; preemptions: 1 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int updates;

static void* update(void* unused) {
    (void)unused;
    if (pthread_mutex_trylock(&m) != 0) return NULL; /* busy: try again some other time */
    ++updates;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, update, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    assert(updates == 2);
    return 0;
}
