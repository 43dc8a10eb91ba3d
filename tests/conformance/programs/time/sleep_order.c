/* conformance: nanosleep, pthread_mutex_lock */
#include "check.h"

/* Each thread wakes no earlier than its deadline on the common clock, in any order. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int woken;

static void *sleeper(void *p)
{
    struct timespec t = {0, *(long *)p};
    long long before = now(CLOCK_MONOTONIC);
    CHECK_EQ(nanosleep(&t, NULL), 0);
    CHECK(now(CLOCK_MONOTONIC) - before >= *(long *)p);
    pthread_mutex_lock(&m);
    woken++;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    long five = 5000000, twenty = 20000000;
    pthread_t a = start(sleeper, &twenty), b = start(sleeper, &five);
    join(b);
    join(a);
    CHECK_EQ(woken, 2);
    return ok();
}
