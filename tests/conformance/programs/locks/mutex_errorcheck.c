/* conformance: pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_timedlock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m;

static void *not_the_owner(void *p)
{
    CHECK_EQ(pthread_mutex_unlock(&m), EPERM);
    CHECK_EQ(pthread_mutex_trylock(&m), EBUSY);
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    struct timespec later = in_ms(CLOCK_REALTIME, 1000);
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    CHECK_EQ(pthread_mutexattr_destroy(&attr), 0); /* the mutex keeps its own copy */
    CHECK_EQ(pthread_mutex_unlock(&m), EPERM);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    CHECK_EQ(pthread_mutex_lock(&m), EDEADLK);
    CHECK_EQ(pthread_mutex_timedlock(&m, &later), EDEADLK);
    CHECK_EQ(pthread_mutex_trylock(&m), EBUSY);
    join(start(not_the_owner, NULL));
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), EPERM);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
