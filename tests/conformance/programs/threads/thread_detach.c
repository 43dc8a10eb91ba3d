/* conformance: pthread_detach */
#include "check.h"
#include <semaphore.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

static void *body(void *p)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    sem_post(&done);
    return p;
}

int main(void)
{
    sem_init(&done, 0, 0);
    pthread_mutex_lock(&gate);
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_detach(t), 0);
    pthread_mutex_unlock(&gate);
    CHECK_EQ(sem_wait(&done), 0);
    return ok();
}
