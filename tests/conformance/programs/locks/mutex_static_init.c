/* conformance: pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER,
                       recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                       errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
                       adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
                       zero; /* zeroed static memory is a normal mutex, too */

static void *all_busy(void *p)
{
    CHECK_EQ(pthread_mutex_trylock(&normal), EBUSY);
    CHECK_EQ(pthread_mutex_trylock(&recursive), EBUSY);
    CHECK_EQ(pthread_mutex_trylock(&errorcheck), EBUSY);
    CHECK_EQ(pthread_mutex_trylock(&adaptive), EBUSY);
    CHECK_EQ(pthread_mutex_trylock(&zero), EBUSY);
    return p;
}

int main(void)
{
    pthread_mutex_t *all[] = {&normal, &recursive, &errorcheck, &adaptive, &zero};
    for (int i = 0; i < 5; i++)
        CHECK_EQ(pthread_mutex_lock(all[i]), 0);
    CHECK_EQ(pthread_mutex_lock(&recursive), 0);
    CHECK_EQ(pthread_mutex_unlock(&recursive), 0);
    CHECK_EQ(pthread_mutex_lock(&errorcheck), EDEADLK);
    join(start(all_busy, NULL));
    for (int i = 0; i < 5; i++)
        CHECK_EQ(pthread_mutex_unlock(all[i]), 0);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(pthread_mutex_destroy(all[i]), 0);
    return ok();
}
