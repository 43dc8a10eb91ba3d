/* conformance: pthread_cancel, pthread_self, pthread_testcancel */
#include "check.h"

static int before, after;

static void *body(void *p)
{
    CHECK_EQ(pthread_cancel(pthread_self()), 0);
    CHECK_EQ(pthread_cancel(pthread_self()), 0); /* the second cancel changes nothing */
    before = 1;
    pthread_testcancel();
    after = 1;
    return p;
}

int main(void)
{
    CHECK(join(start(body, NULL)) == PTHREAD_CANCELED);
    CHECK_EQ(before, 1);
    CHECK_EQ(after, 0);
    return ok();
}
