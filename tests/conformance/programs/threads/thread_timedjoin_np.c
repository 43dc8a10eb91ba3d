/* conformance: pthread_timedjoin_np */
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
    struct timespec past = in_ms(CLOCK_REALTIME, -1000), soon = in_ms(CLOCK_REALTIME, 10);
    CHECK_EQ(pthread_timedjoin_np(t, &result, &past), ETIMEDOUT);
    CHECK_EQ(pthread_timedjoin_np(t, &result, &soon), ETIMEDOUT);
    CHECK(result == NULL);
    pthread_mutex_unlock(&gate);
    struct timespec later = in_ms(CLOCK_REALTIME, 5000);
    int r = pthread_timedjoin_np(t, &result, &later);
    if (r == ETIMEDOUT) /* virtual time may have passed */
        r = pthread_join(t, &result);
    CHECK_EQ(r, 0);
    CHECK(result == &mark);
    return ok();
}
