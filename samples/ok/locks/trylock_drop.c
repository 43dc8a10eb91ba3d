/* ok: a thread that finds the lock busy yields and tries its update again */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int updates;

static void* update(void* unused) {
    (void)unused;
    while (pthread_mutex_trylock(&m) != 0) sched_yield();
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
