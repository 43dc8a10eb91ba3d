/* conformance: pthread_cond_timedwait, pthread_cond_wait, pthread_cancel */
#include "check.h"
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static int cleaned;

static void unlock(UNUSED void *p)
{
    cleaned++;
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
}

static void *body(void *p)
{
    struct timespec later = in_ms(CLOCK_REALTIME, 5000);
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, NULL);
    sem_post(&ready);
    pthread_cond_timedwait(&c, &m, &later);
    for (;;) /* in case virtual time passed first */
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    pthread_t t = start(body, NULL);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(cleaned, 1);
    CHECK_EQ(pthread_mutex_trylock(&m), 0);
    return ok();
}
