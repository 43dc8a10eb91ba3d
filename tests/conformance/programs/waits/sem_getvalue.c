/* conformance: sem_getvalue, sem_init, sem_post */
/* raddle: misuse */
#include "check.h"
#include <limits.h>
#include <semaphore.h>

static sem_t s;

static void *waiter(void *p)
{
    CHECK_EQ(sem_wait(&s), 0);
    return p;
}

int main(void)
{
    int value = -1;
    CHECK_ERRNO(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1u), EINVAL);
    CHECK_EQ(sem_init(&s, 0, 3), 0);
    CHECK_EQ(sem_getvalue(&s, &value), 0);
    CHECK_EQ(value, 3);
    CHECK_EQ(sem_wait(&s), 0);
    CHECK_EQ(sem_getvalue(&s, &value), 0);
    CHECK_EQ(value, 2);
    CHECK_EQ(sem_destroy(&s), 0);
    CHECK_EQ(sem_init(&s, 0, 0), 0);
    pthread_t t = start(waiter, NULL);
    CHECK_EQ(sem_getvalue(&s, &value), 0);
    CHECK_EQ(value, 0); /* even while a thread waits */
    CHECK_EQ(sem_post(&s), 0);
    join(t);
    CHECK_EQ(sem_getvalue(&s, &value), 0);
    CHECK_EQ(value, 0);
    CHECK_EQ(sem_destroy(&s), 0);
    CHECK_EQ(sem_init(&s, 0, SEM_VALUE_MAX), 0);
    CHECK_ERRNO(sem_post(&s), EOVERFLOW);
    return ok();
}
