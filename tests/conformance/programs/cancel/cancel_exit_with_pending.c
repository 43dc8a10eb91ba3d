/* conformance: pthread_exit, pthread_cancel */
#include "check.h"

/* A thread that is already exiting is not cancelled again, although its handlers reach cancellation points. */
static int cleaned;

static void clean(UNUSED void *p)
{
    pthread_cancel(pthread_self());
    pthread_testcancel();
    cleaned++;
}

static void *body(void *p)
{
    pthread_cleanup_push(clean, NULL);
    pthread_exit(p);
    pthread_cleanup_pop(0);
}

int main(void)
{
    int mark;
    CHECK(join(start(body, &mark)) == &mark);
    CHECK_EQ(cleaned, 1);
    return ok();
}
