/* conformance: pthread_detach, pthread_self */
#include "check.h"
#include <semaphore.h>

static sem_t done;

static void *body(void *p)
{
    CHECK_EQ(pthread_detach(pthread_self()), 0);
    pthread_attr_t attr;
    int state;
    CHECK_EQ(pthread_getattr_np(pthread_self(), &attr), 0);
    CHECK_EQ(pthread_attr_getdetachstate(&attr, &state), 0);
    CHECK_EQ(state, PTHREAD_CREATE_DETACHED);
    pthread_attr_destroy(&attr);
    sem_post(&done);
    return p;
}

int main(void)
{
    sem_init(&done, 0, 0);
    start(body, NULL);
    start(body, NULL);
    CHECK_EQ(sem_wait(&done), 0);
    CHECK_EQ(sem_wait(&done), 0);
    return ok();
}
