/* conformance: pthread_setcanceltype, pthread_cancel */
#include "check.h"

static int passed;

static void *body(void *p)
{
    int old = -1;
    CHECK_EQ(pthread_setcanceltype(12345, &old), EINVAL);
    CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
    CHECK_EQ(old, PTHREAD_CANCEL_DEFERRED);
    CHECK_EQ(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old), 0);
    CHECK_EQ(old, PTHREAD_CANCEL_ASYNCHRONOUS);
    pthread_cancel(pthread_self()); /* deferred: the thread continues */
    *(int *)p = 1;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); /* acts on the pending cancellation at once */
    passed = 1;
    return p;
}

int main(void)
{
    int went_on = 0;
    CHECK(join(start(body, &went_on)) == PTHREAD_CANCELED);
    CHECK_EQ(went_on, 1);
    CHECK_EQ(passed, 0);
    return ok();
}
