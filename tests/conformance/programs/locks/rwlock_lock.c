/* conformance: pthread_rwlock_init, pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_rwlock_unlock, pthread_rwlock_destroy */
#include "check.h"

static pthread_rwlock_t rw;
static int a, b;

static void *writer(void *p)
{
    CHECK_EQ(pthread_rwlock_wrlock(&rw), 0);
    a++;
    b++;
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

static void *reader(void *p)
{
    CHECK_EQ(pthread_rwlock_rdlock(&rw), 0);
    CHECK_EQ(a, b);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_rwlock_init(&rw, NULL), 0);
    pthread_t w1 = start(writer, NULL), r = start(reader, NULL), w2 = start(writer, NULL);
    join(w1);
    join(r);
    join(w2);
    CHECK_EQ(a, 2);
    CHECK_EQ(pthread_rwlock_destroy(&rw), 0);
    return ok();
}
