/* conformance: pthread_mutex_lock, pthread_mutex_consistent */
#include "check.h"
#include <semaphore.h>

/* When the owner dies, exactly one thread gets EOWNERDEAD: a waiter, or the next to lock. */
static pthread_mutex_t m;
static sem_t taken;
static int told;

static void *die_with_lock(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    sem_post(&taken);
    sem_post(&taken);
    return p;
}

static void *wait_for_it(void *p)
{
    sem_wait(&taken);
    int r = pthread_mutex_lock(&m);
    if (r == EOWNERDEAD) {
        told++;
        CHECK_EQ(pthread_mutex_consistent(&m), 0);
    } else
        CHECK_EQ(r, 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    sem_init(&taken, 0, 0);
    pthread_t a = start(wait_for_it, NULL), b = start(wait_for_it, NULL), owner = start(die_with_lock, NULL);
    join(owner);
    join(a);
    join(b);
    CHECK_EQ(told, 1);
    return ok();
}
