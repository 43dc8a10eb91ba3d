/* planted: assert: a thread assumes that main has set the value already */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *user(void *p)
{
    pthread_mutex_lock(&m);
    int seen = value;
    pthread_mutex_unlock(&m);
    assert(seen == 42);
    return p;
}

int main(void)
{
    pthread_t t = start(user, NULL);
    pthread_mutex_lock(&m);
    value = 42;
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
