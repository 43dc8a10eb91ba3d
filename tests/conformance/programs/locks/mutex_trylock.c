/* conformance: pthread_mutex_trylock */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *try_it(void *p)
{
    int r = pthread_mutex_trylock(&m);
    CHECK_EQ(r, *(int *)p);
    if (r == 0)
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
    return p;
}

int main(void)
{
    int taken = EBUSY, free = 0;
    CHECK_EQ(pthread_mutex_trylock(&m), 0);
    CHECK_EQ(pthread_mutex_trylock(&m), EBUSY); /* a normal mutex: busy for its owner, too */
    join(start(try_it, &taken));
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    join(start(try_it, &free));
    return ok();
}
