/* conformance: pthread_setcanceltype, pthread_cancel, pthread_cleanup_push */
#include "check.h"

static int cleaned, passed;

static void clean(UNUSED void *p) { cleaned++; }

static void *body(void *p)
{
    pthread_cleanup_push(clean, NULL);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    pthread_cancel(pthread_self());
    passed = 1;
    pthread_cleanup_pop(0);
    return p;
}

int main(void)
{
    CHECK(join(start(body, &passed)) == PTHREAD_CANCELED);
    CHECK_EQ(cleaned, 1);
    CHECK_EQ(passed, 0);
    return ok();
}
