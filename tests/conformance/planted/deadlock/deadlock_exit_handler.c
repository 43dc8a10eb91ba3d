/* planted: deadlock: an exit handler needs a lock whose owner waits for the handler */
#include "check.h"
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t leaving;

static void at_end(void)
{
    pthread_mutex_lock(&m);
    sem_post(&leaving);
    pthread_mutex_unlock(&m);
}

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    sem_wait(&leaving);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    sem_init(&leaving, 0, 0);
    atexit(at_end);
    start(worker, NULL);
    return ok();
}
