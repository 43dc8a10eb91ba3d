/* conformance: pthread_spin_trylock */
#include "check.h"

static pthread_spinlock_t spin;

static void *try_it(void *p)
{
    int r = pthread_spin_trylock(&spin);
    CHECK_EQ(r, *(int *)p);
    if (r == 0)
        CHECK_EQ(pthread_spin_unlock(&spin), 0);
    return p;
}

int main(void)
{
    int taken = EBUSY, free = 0;
    CHECK_EQ(pthread_spin_init(&spin, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_spin_trylock(&spin), 0);
    CHECK_EQ(pthread_spin_trylock(&spin), EBUSY);
    join(start(try_it, &taken));
    CHECK_EQ(pthread_spin_unlock(&spin), 0);
    join(start(try_it, &free));
    CHECK_EQ(pthread_spin_destroy(&spin), 0);
    return ok();
}
