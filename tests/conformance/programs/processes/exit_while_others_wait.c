/* conformance: exit, pthread_mutex_lock, sem_wait */
#include "check.h"
#include <semaphore.h>

/* When main returns, the process ends although other threads wait forever. */
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void *on_mutex(void *p)
{
    pthread_mutex_lock(&held);
    return p;
}

static void *on_semaphore(void *p)
{
    sem_wait(&never);
    return p;
}

int main(void)
{
    sem_init(&never, 0, 0);
    pthread_mutex_lock(&held);
    start(on_mutex, NULL);
    start(on_semaphore, NULL);
    return ok();
}
