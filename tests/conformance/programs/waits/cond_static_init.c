/* conformance: pthread_cond_wait, pthread_cond_signal, pthread_cond_destroy */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t by_initializer = PTHREAD_COND_INITIALIZER, zero;
static int stage;

static void *other(void *p)
{
    pthread_mutex_lock(&m);
    stage = 1;
    pthread_cond_signal(&by_initializer);
    while (stage != 2)
        pthread_cond_wait(&zero, &m);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_t t = start(other, NULL);
    while (stage != 1)
        pthread_cond_wait(&by_initializer, &m);
    stage = 2;
    pthread_cond_signal(&zero);
    pthread_mutex_unlock(&m);
    join(t);
    CHECK_EQ(pthread_cond_destroy(&by_initializer), 0);
    CHECK_EQ(pthread_cond_destroy(&zero), 0);
    return ok();
}
