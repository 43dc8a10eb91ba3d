/* conformance: pthread_mutex_lock, pthread_cancel */
#include "check.h"

/* pthread_mutex_lock is not a cancellation point, even if it has to wait. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locked;

static void *body(void *p)
{
    pthread_mutex_lock(&m);
    locked = 1;
    pthread_mutex_unlock(&m);
    pthread_testcancel();
    locked = 2;
    return p;
}

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_cancel(t), 0);
    pthread_mutex_unlock(&m);
    CHECK(join(t) == PTHREAD_CANCELED);
    CHECK_EQ(locked, 1);
    CHECK_EQ(pthread_mutex_trylock(&m), 0);
    return ok();
}
