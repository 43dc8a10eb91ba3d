/* conformance: pthread_mutex_consistent, pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock */
/* raddle: misuse */
#include "check.h"

static pthread_mutex_t m, plain = PTHREAD_MUTEX_INITIALIZER;

static void *die_with_lock(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    CHECK_EQ(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST), 0);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    CHECK_EQ(pthread_mutex_consistent(&plain), EINVAL); /* not robust */
    CHECK_EQ(pthread_mutex_consistent(&m), EINVAL);     /* not inconsistent */
    for (int by_try = 0; by_try < 2; by_try++) {
        join(start(die_with_lock, NULL));
        CHECK_EQ(by_try ? pthread_mutex_trylock(&m) : pthread_mutex_lock(&m), EOWNERDEAD);
        CHECK_EQ(pthread_mutex_consistent(&m), 0);
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
        CHECK_EQ(pthread_mutex_lock(&m), 0); /* the mutex is normal again */
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
    }
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
