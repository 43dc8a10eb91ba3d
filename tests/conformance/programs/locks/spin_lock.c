/* conformance: pthread_spin_init, pthread_spin_lock, pthread_spin_unlock, pthread_spin_destroy */
#include "check.h"

static pthread_spinlock_t spin;
static int count;

static void *once(void *p)
{
    CHECK_EQ(pthread_spin_lock(&spin), 0);
    count++;
    CHECK_EQ(pthread_spin_unlock(&spin), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
    pthread_t a = start(once, NULL), b = start(once, NULL);
    once(NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 3);
    CHECK_EQ(pthread_spin_destroy(&spin), 0);
    return ok();
}
