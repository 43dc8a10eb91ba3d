/* conformance: pthread_cancel, pthread_join */
#include "check.h"

/* Without a cancellation point after the cancel, the thread returns normally. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *p)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return p;
}

int main(void)
{
    int mark;
    pthread_t t = start(body, &mark);
    CHECK_EQ(pthread_cancel(t), 0); /* running, or ended and not yet joined */
    CHECK(join(t) == &mark);
    return ok();
}
