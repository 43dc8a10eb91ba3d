/* conformance: pthread_tryjoin_np */
#include "check.h"

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
    void *result = NULL;
    pthread_mutex_lock(&gate);
    pthread_t t = start(body, &mark);
    CHECK_EQ(pthread_tryjoin_np(t, &result), EBUSY);
    CHECK(result == NULL);
    pthread_mutex_unlock(&gate);
    int r = pthread_tryjoin_np(t, &result); /* the thread may or may not have ended */
    if (r == EBUSY)
        r = pthread_join(t, &result);
    CHECK_EQ(r, 0);
    CHECK(result == &mark);
    return ok();
}
