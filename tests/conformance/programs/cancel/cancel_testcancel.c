/* conformance: pthread_testcancel, pthread_cancel */
#include "check.h"
#include "cancel.h"

static void test(void) { pthread_testcancel(); }

static void *not_cancelled(void *p)
{
    pthread_testcancel();
    return p;
}

int main(void)
{
    int mark;
    CHECK(cancelled_in(test));
    pthread_testcancel(); /* no cancellation is pending here */
    CHECK(join(start(not_cancelled, &mark)) == &mark);
    return ok();
}
