/* planted: deadlock: a thread cancelled inside its critical section leaves the mutex locked */
#include "check.h"
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t token;

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    sem_wait(&token); /* a cancellation point, and no cleanup handler */
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    sem_init(&token, 0, 1);
    pthread_t t = start(worker, NULL);
    pthread_cancel(t);
    join(t);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return ok();
}
