/* conformance: pthread_mutexattr_setprotocol, pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m;
static int count;

static void *once(void *p)
{
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    CHECK_EQ(pthread_mutex_trylock(&m), EBUSY);
    count++;
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    CHECK_EQ(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT), 0);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    pthread_t a = start(once, NULL), b = start(once, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 2);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
