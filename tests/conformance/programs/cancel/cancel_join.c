/* conformance: pthread_join, pthread_cancel */
#include "check.h"
#include <semaphore.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_t target;
static sem_t ready;

static void *work(void *p)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return p;
}

static void *joiner(void *p)
{
    sem_post(&ready);
    pthread_join(target, NULL);
    return p;
}

int main(void)
{
    int mark;
    sem_init(&ready, 0, 0);
    pthread_mutex_lock(&gate);
    target = start(work, &mark);
    pthread_t t = start(joiner, NULL);
    sem_wait(&ready);
    CHECK_EQ(pthread_cancel(t), 0);
    CHECK(join(t) == PTHREAD_CANCELED);
    pthread_mutex_unlock(&gate);
    CHECK(join(target) == &mark); /* the cancelled join left the thread joinable */
    return ok();
}
