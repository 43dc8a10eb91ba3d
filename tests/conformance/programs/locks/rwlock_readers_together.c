/* conformance: pthread_rwlock_rdlock, pthread_barrier_wait */
#include "check.h"

/* Two readers hold the lock at the same time: otherwise they could not both reach the barrier. */
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t inside;

static void *reader(void *p)
{
    CHECK_EQ(pthread_rwlock_rdlock(&rw), 0);
    pthread_barrier_wait(&inside);
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), EBUSY);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

int main(void)
{
    pthread_barrier_init(&inside, NULL, 2);
    pthread_t r1 = start(reader, NULL), r2 = start(reader, NULL);
    join(r1);
    join(r2);
    CHECK_EQ(pthread_rwlock_trywrlock(&rw), 0);
    return ok();
}
