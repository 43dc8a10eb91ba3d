/* conformance: pthread_cond_wait, pthread_cancel, pthread_cleanup_push */
#include "check.h"
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static int cleaned;

static void unlock(UNUSED void *p)
{
    cleaned++;
    CHECK_EQ(pthread_mutex_unlock(&m), 0); /* the wait locks it again before the handlers run */
}

static void *body(void *p)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, NULL);
    sem_post(&ready);
    for (;;)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    pthread_t t = start(body, NULL);
    sem_wait(&ready);
    pthread_mutex_lock(&m); /* free: the thread is waiting */
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK_EQ(cleaned, 0);
    pthread_mutex_unlock(&m);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(cleaned, 1);
    CHECK_EQ(pthread_mutex_trylock(&m), 0);
    CHECK_EQ(pthread_cond_destroy(&c), 0); /* no waiter is left */
    return ok();
}
