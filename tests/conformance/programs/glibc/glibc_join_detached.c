/* conformance: pthread_join, pthread_detach */
/* raddle: misuse */
#include "check.h"
#include <semaphore.h>

/* Undefined in POSIX, an error code in glibc; a tool may report misuse instead. */
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
    CHECK_EQ(pthread_join(t, NULL), EINVAL); /* still alive: the thread waits for the gate */
    CHECK_EQ(pthread_detach(t), EINVAL);
    pthread_mutex_unlock(&gate);
    CHECK_EQ(sem_wait(&done), 0);
    return ok();
}
