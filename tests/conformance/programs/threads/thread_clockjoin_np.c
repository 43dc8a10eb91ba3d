/* conformance: pthread_clockjoin_np */
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
    struct timespec soon = in_ms(CLOCK_MONOTONIC, 10), past = in_ms(CLOCK_REALTIME, -10);
    CHECK_EQ(pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
    CHECK(now(CLOCK_MONOTONIC) >= nanoseconds(soon));
    CHECK_EQ(pthread_clockjoin_np(t, &result, CLOCK_REALTIME, &past), ETIMEDOUT);
    CHECK(result == NULL);
    pthread_mutex_unlock(&gate);
    CHECK_EQ(pthread_clockjoin_np(t, &result, CLOCK_MONOTONIC, NULL), 0); /* no deadline: waits */
    CHECK(result == &mark);
    return ok();
}
