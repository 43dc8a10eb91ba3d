/* conformance: sem_wait, sem_post */
#include "check.h"
#include <semaphore.h>

/* A ring of two slots. */
static sem_t empty, full;
static int ring[2];

static void *producer(void *p)
{
    for (int i = 0; i < 4; i++) {
        sem_wait(&empty);
        ring[i % 2] = i + 1;
        sem_post(&full);
    }
    return p;
}

int main(void)
{
    sem_init(&empty, 0, 2);
    sem_init(&full, 0, 0);
    pthread_t t = start(producer, NULL);
    for (int i = 0; i < 4; i++) {
        sem_wait(&full);
        CHECK_EQ(ring[i % 2], i + 1);
        sem_post(&empty);
    }
    join(t);
    return ok();
}
