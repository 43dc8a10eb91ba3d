/* planted: deadlock: a reader locks a writer-preferring lock a second time while a writer waits */
#include "check.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *writer(void *p)
{
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_unlock(&rw);
    return p;
}

int main(void)
{
    pthread_t t = start(writer, NULL);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_unlock(&rw);
    join(t);
    return ok();
}
