/* conformance: malloc, free, sem_wait, sem_post */
#include "check.h"
#include <semaphore.h>

/* One thread allocates while the other frees. */
static sem_t empty, full;
static int *slot;

static void *consumer(void *p)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&full);
        CHECK_EQ(*slot, i);
        free(slot);
        sem_post(&empty);
    }
    return p;
}

int main(void)
{
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_t t = start(consumer, NULL);
    for (int i = 0; i < 3; i++) {
        int *made = (int *)malloc(sizeof *made);
        CHECK(made);
        *made = i;
        sem_wait(&empty);
        slot = made;
        sem_post(&full);
    }
    join(t);
    return ok();
}
