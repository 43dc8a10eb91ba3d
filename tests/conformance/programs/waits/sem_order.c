/* conformance: sem_wait, sem_post */
#include "check.h"
#include <semaphore.h>

/* Writes before a post are visible after the wait. */
static sem_t first_done, second_done;
static char trace[8];

static void *second(void *p)
{
    sem_wait(&first_done);
    strcat(trace, "2");
    sem_post(&second_done);
    return p;
}

static void *third(void *p)
{
    sem_wait(&second_done);
    strcat(trace, "3");
    return p;
}

int main(void)
{
    sem_init(&first_done, 0, 0);
    sem_init(&second_done, 0, 0);
    pthread_t c = start(third, NULL), b = start(second, NULL);
    strcat(trace, "1");
    sem_post(&first_done);
    join(c);
    CHECK_STR(trace, "123");
    join(b);
    return ok();
}
