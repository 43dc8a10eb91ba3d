/* conformance: sem_wait, pthread_cancel */
#include "check.h"
#include <semaphore.h>

static sem_t ready, never;
static int cleaned;

static void clean(UNUSED void *p) { cleaned++; }

static void *body(void *p)
{
    pthread_cleanup_push(clean, NULL);
    sem_post(&ready);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    int value;
    sem_init(&ready, 0, 0);
    sem_init(&never, 0, 0);
    pthread_t t = start(body, NULL);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(cleaned, 1);
    CHECK_EQ(sem_post(&never), 0); /* no waiter is left to take it */
    CHECK_EQ(sem_getvalue(&never, &value), 0);
    CHECK_EQ(value, 1);
    return ok();
}
