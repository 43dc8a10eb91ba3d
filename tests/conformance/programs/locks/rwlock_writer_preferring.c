/* conformance: pthread_rwlockattr_setkind_np, pthread_rwlock_rdlock, pthread_rwlock_wrlock */
#include "check.h"

static pthread_rwlock_t by_attr, by_initializer = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int value;

static void *writer(void *p)
{
    pthread_rwlock_t *rw = (pthread_rwlock_t *)p;
    CHECK_EQ(pthread_rwlock_wrlock(rw), 0);
    value++;
    CHECK_EQ(pthread_rwlock_unlock(rw), 0);
    return p;
}

static void *reader(void *p)
{
    pthread_rwlock_t *rw = (pthread_rwlock_t *)p;
    CHECK_EQ(pthread_rwlock_rdlock(rw), 0);
    int seen = value;
    CHECK(seen == 0 || seen == 1);
    CHECK_EQ(pthread_rwlock_unlock(rw), 0);
    return p;
}

static void use(pthread_rwlock_t *rw)
{
    value = 0;
    CHECK_EQ(pthread_rwlock_rdlock(rw), 0);
    pthread_t w = start(writer, rw), r = start(reader, rw);
    CHECK_EQ(value, 0); /* main holds the lock */
    CHECK_EQ(pthread_rwlock_unlock(rw), 0);
    join(w);
    join(r);
    CHECK_EQ(value, 1);
    CHECK_EQ(pthread_rwlock_destroy(rw), 0);
}

int main(void)
{
    pthread_rwlockattr_t attr;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    CHECK_EQ(pthread_rwlock_init(&by_attr, &attr), 0);
    use(&by_attr);
    use(&by_initializer);
    return ok();
}
