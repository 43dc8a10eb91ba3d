/* ok: a thread posts the semaphore exactly once, even if it refuses its job */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { threads = 3 };

static sem_t room;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void add_inside(int change) {
    pthread_mutex_lock(&m);
    inside += change;
    assert(inside <= 1);
    pthread_mutex_unlock(&m);
}

static void* enter(void* job) {
    sem_wait(&room);
    if (*(int*)job >= 0) {
        add_inside(1);
        add_inside(-1);
    }
    sem_post(&room);
    return NULL;
}

int main(void) {
    pthread_t thread[threads];
    int job[threads] = {1, 2, -1};
    sem_init(&room, 0, 1);
    for (int i = 0; i < threads; ++i) pthread_create(&thread[i], NULL, enter, &job[i]);
    for (int i = 0; i < threads; ++i) pthread_join(thread[i], NULL);
    sem_destroy(&room);
    return 0;
}
