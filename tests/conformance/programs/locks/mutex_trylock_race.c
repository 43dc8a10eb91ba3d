/* conformance: pthread_mutex_trylock, pthread_mutex_unlock */
#include "check.h"

/* Either thread may succeed, but the count always equals the number of successes. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *try_once(void *p)
{
    int r = pthread_mutex_trylock(&m);
    if (r == 0) {
        count++;
        *(int *)p = 1;
        pthread_mutex_unlock(&m);
    } else
        CHECK_EQ(r, EBUSY);
    return p;
}

int main(void)
{
    int a_got = 0, b_got = 0;
    pthread_t a = start(try_once, &a_got), b = start(try_once, &b_got);
    join(a);
    join(b);
    CHECK(count >= 1);
    CHECK_EQ(count, a_got + b_got);
    return ok();
}
