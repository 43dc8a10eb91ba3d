/* planted: misuse: a read lock is released even if the thread did not get it */
#include "check.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *p)
{
    pthread_rwlock_wrlock(&rw);
    pthread_rwlock_unlock(&rw);
    return p;
}

int main(void)
{
    pthread_t t = start(writer, NULL);
    pthread_rwlock_tryrdlock(&rw);
    pthread_rwlock_unlock(&rw);
    join(t);
    return ok();
}
