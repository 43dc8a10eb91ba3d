/* conformance: pthread_key_delete, pthread_key_create */
#include "check.h"
#include <semaphore.h>

/* A deleted key runs no destructor, and a new key that reuses its number starts with NULL. */
static pthread_key_t key, next;
static sem_t set, deleted;
static int calls;

static void destroy(UNUSED void *p) { calls++; }

static void *body(void *p)
{
    CHECK_EQ(pthread_setspecific(key, p), 0);
    sem_post(&set);
    sem_wait(&deleted);
    CHECK(pthread_getspecific(next) == NULL);
    return p;
}

int main(void)
{
    int mark;
    sem_init(&set, 0, 0);
    sem_init(&deleted, 0, 0);
    CHECK_EQ(pthread_key_create(&key, destroy), 0);
    pthread_t t = start(body, &mark);
    sem_wait(&set);
    CHECK_EQ(pthread_key_delete(key), 0);
    CHECK_EQ(pthread_key_create(&next, destroy), 0);
    CHECK(pthread_getspecific(next) == NULL);
    sem_post(&deleted);
    join(t);
    CHECK_EQ(calls, 0);
    return ok();
}
