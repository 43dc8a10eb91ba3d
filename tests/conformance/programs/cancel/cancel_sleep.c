/* conformance: sleep, nanosleep, pthread_cancel */
#include "check.h"
#include <semaphore.h>

static sem_t ready, never;

static void *in_sleep(void *p)
{
    sem_post(&ready);
    sleep(5);
    sem_wait(&never); /* in case virtual time passed first */
    return p;
}

static void *in_nanosleep(void *p)
{
    struct timespec t = {5, 0};
    sem_post(&ready);
    nanosleep(&t, NULL);
    sem_wait(&never);
    return p;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    sem_init(&never, 0, 0);
    pthread_t a = start(in_sleep, NULL);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(a), 0);
    CHECK(join(a) == PTHREAD_CANCELED);
    pthread_t b = start(in_nanosleep, NULL);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(b), 0);
    CHECK(join(b) == PTHREAD_CANCELED);
    return ok();
}
