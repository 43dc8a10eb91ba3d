/* conformance: pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_timedlock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m;

static void *try_it(void *p)
{
    int r = pthread_mutex_trylock(&m);
    CHECK_EQ(r, *(int *)p);
    CHECK_EQ(pthread_mutex_unlock(&m), r ? EPERM : 0);
    return p;
}

int main(void)
{
    int taken = EBUSY, free = 0;
    struct timespec past = in_ms(CLOCK_REALTIME, -1000);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    CHECK_EQ(pthread_mutex_trylock(&m), 0);
    CHECK_EQ(pthread_mutex_timedlock(&m, &past), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    join(start(try_it, &taken)); /* still locked once */
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    join(start(try_it, &free));
    CHECK_EQ(pthread_mutex_unlock(&m), EPERM);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
