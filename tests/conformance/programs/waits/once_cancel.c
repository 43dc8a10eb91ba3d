/* conformance: pthread_once, pthread_cancel, pthread_testcancel */
#include "check.h"

/* A cancelled init function resets the once control, as if it had never been called. */
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int begun, finished;
static __thread int doomed;

static void init(void)
{
    begun++;
    if (doomed) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    finished++;
}

static void *cancelled(void *p)
{
    doomed = 1;
    pthread_once(&control, init);
    return p;
}

static void *second(void *p)
{
    CHECK_EQ(pthread_once(&control, init), 0);
    CHECK_EQ(finished, 1);
    return p;
}

int main(void)
{
    CHECK(join(start(cancelled, NULL)) == PTHREAD_CANCELED);
    CHECK_EQ(finished, 0);
    pthread_t a = start(second, NULL), b = start(second, NULL);
    join(a);
    join(b);
    CHECK_EQ(begun, 2);
    CHECK_EQ(finished, 1);
    return ok();
}
