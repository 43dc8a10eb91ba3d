/* conformance: pthread_rwlock_rdlock, pthread_rwlock_wrlock */
#include "check.h"

/* The default kind prefers readers: a reader may lock again although a writer waits. */
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *p)
{
    CHECK_EQ(pthread_rwlock_wrlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_rwlock_rdlock(&rw), 0);
    pthread_t t = start(writer, NULL);
    CHECK_EQ(pthread_rwlock_rdlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    join(t);
    return ok();
}
