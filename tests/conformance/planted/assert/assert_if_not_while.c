/* planted: assert: a woken consumer does not test again, and another consumer was faster */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *careless(void *p)
{
    pthread_mutex_lock(&m);
    if (items == 0)
        pthread_cond_wait(&c, &m);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&m);
    return p;
}

static void *opportunist(void *p)
{
    pthread_mutex_lock(&m);
    if (items > 0) {
        items--;
        *(int *)p = 1;
    }
    pthread_mutex_unlock(&m);
    return p;
}

static void put(void)
{
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    int taken = 0;
    pthread_t t = start(careless, NULL), u = start(opportunist, &taken);
    put();
    join(u);
    if (taken)
        put();
    join(t);
    return ok();
}
