/* planted: exit: the worker exits with a failure if it finds nothing to do yet */
#include "check.h"
#include <semaphore.h>

static sem_t work;

static void *worker(void *p)
{
    if (sem_trywait(&work) != 0)
        exit(5);
    return p;
}

int main(void)
{
    sem_init(&work, 0, 0);
    pthread_t t = start(worker, NULL);
    sem_post(&work);
    join(t);
    return ok();
}
