/* planted: deadlock: a semaphore has two units, and two threads take two units each, one by one */
#include "check.h"
#include <semaphore.h>

static sem_t units;

static void *take_two(void *p)
{
    sem_wait(&units);
    sem_wait(&units);
    sem_post(&units);
    sem_post(&units);
    return p;
}

int main(void)
{
    sem_init(&units, 0, 2);
    pthread_t t = start(take_two, NULL), u = start(take_two, NULL);
    join(t);
    join(u);
    return ok();
}
