/* conformance: pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m;

static void *die_with_lock(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    return p;
}

static void *too_late(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), ENOTRECOVERABLE);
    CHECK_EQ(pthread_mutex_trylock(&m), ENOTRECOVERABLE);
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    CHECK_EQ(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST), 0);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    join(start(die_with_lock, NULL));
    CHECK_EQ(pthread_mutex_lock(&m), EOWNERDEAD);
    CHECK_EQ(pthread_mutex_unlock(&m), 0); /* without pthread_mutex_consistent */
    CHECK_EQ(pthread_mutex_lock(&m), ENOTRECOVERABLE);
    join(start(too_late, NULL));
    CHECK_EQ(pthread_mutex_destroy(&m), 0); /* the only call that is still valid */
    CHECK_EQ(pthread_mutex_init(&m, NULL), 0);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    return ok();
}
