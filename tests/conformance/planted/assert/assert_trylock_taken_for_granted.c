/* planted: assert: the program assumes that a trylock always succeeds */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *p)
{
    int r = pthread_mutex_trylock(&m);
    assert(r == 0);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(worker, NULL), u = start(worker, NULL);
    join(t);
    join(u);
    return ok();
}
