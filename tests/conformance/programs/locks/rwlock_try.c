/* conformance: pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock */
#include "check.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *while_read(void *p)
{
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), EBUSY);
    CHECK_EQ(pthread_rwlock_tryrdlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

static void *while_written(void *p)
{
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), EBUSY);
    CHECK_EQ(pthread_rwlock_tryrdlock(&rw), EBUSY);
    return p;
}

static void *while_free(void *p)
{
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_tryrdlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_rwlock_tryrdlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_rdlock(&rw), 0); /* a second time */
    join(start(while_read, NULL));
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    join(start(while_read, NULL)); /* still locked once */
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), 0);
    join(start(while_written, NULL));
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    join(start(while_free, NULL));
    return ok();
}
