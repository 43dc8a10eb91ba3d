/* planted: assert: the lock is released between reading a counter and writing it back */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *p)
{
    pthread_mutex_lock(&m);
    int seen = count;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    count = seen + 1;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(add, NULL), u = start(add, NULL);
    join(t);
    join(u);
    assert(count == 2);
    return ok();
}
