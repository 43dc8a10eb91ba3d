/* planted: crash: a callback is removed while a worker is about to call it */
#include "check.h"
#include <semaphore.h>

static sem_t s;
static void (*volatile callback)(void);

static void hello(void) {}

static void *caller(void *p)
{
    sem_wait(&s);
    callback();
    sem_post(&s);
    return p;
}

int main(void)
{
    callback = hello;
    sem_init(&s, 0, 1);
    pthread_t t = start(caller, NULL);
    sem_wait(&s);
    callback = NULL;
    sem_post(&s);
    join(t);
    return ok();
}
