/* conformance: sem_init, sem_wait, sem_post, sem_destroy */
#include "check.h"
#include <semaphore.h>

/* A binary semaphore used as a lock. */
static sem_t s;
static int inside, count;

static void *enter(void *p)
{
    CHECK_EQ(sem_wait(&s), 0);
    CHECK_EQ(inside++, 0);
    count++;
    inside--;
    CHECK_EQ(sem_post(&s), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(sem_init(&s, 0, 1), 0);
    pthread_t a = start(enter, NULL), b = start(enter, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 2);
    CHECK_EQ(sem_destroy(&s), 0);
    return ok();
}
