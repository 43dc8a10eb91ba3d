/* conformance: pthread_create, pthread_attr_setdetachstate */
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
    pthread_attr_t attr;
    pthread_t t;
    sem_init(&done, 0, 0);
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED), 0);
    pthread_mutex_lock(&gate);
    CHECK_EQ(pthread_create(&t, &attr, body, NULL), 0);
    pthread_mutex_unlock(&gate);
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    CHECK_EQ(sem_wait(&done), 0);
    return ok();
}
