/* planted: crash: an average is computed before the first sample is stored */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum, count;

static void *sampler(void *p)
{
    pthread_mutex_lock(&m);
    sum += 7;
    count++;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(sampler, NULL);
    pthread_mutex_lock(&m);
    int average = sum / count;
    pthread_mutex_unlock(&m);
    join(t);
    CHECK_EQ(average, 7);
    return ok();
}
