/* conformance: pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m;
static int count;

static void *twice(void *p)
{
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(pthread_mutex_lock(&m), 0);
        CHECK_EQ(pthread_mutex_trylock(&m), EBUSY);
        count++;
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
    }
    return p;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    CHECK_EQ(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP), 0);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    pthread_t a = start(twice, NULL), b = start(twice, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 4);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    return ok();
}
