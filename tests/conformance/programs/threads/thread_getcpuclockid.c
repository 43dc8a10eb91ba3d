/* conformance: pthread_getcpuclockid, clock_gettime */
#include "check.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *p)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    clockid_t mine;
    CHECK_EQ(pthread_getcpuclockid(pthread_self(), &mine), 0);
    long long before = now(mine);
    CHECK(before >= 0);
    CHECK(now(mine) >= before);
    CHECK(now(CLOCK_THREAD_CPUTIME_ID) >= before);
    return p;
}

int main(void)
{
    clockid_t other;
    pthread_mutex_lock(&gate);
    pthread_t t = start(body, NULL);
    CHECK_EQ(pthread_getcpuclockid(t, &other), 0);
    long long before = now(other);
    CHECK(before >= 0);
    CHECK(now(other) >= before);
    pthread_mutex_unlock(&gate);
    join(t);
    return ok();
}
