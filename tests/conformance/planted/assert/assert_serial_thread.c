/* planted: assert: the program assumes that main is the last at a barrier, and so its serial thread */
#include "check.h"
#include <assert.h>

static pthread_barrier_t both;

static void *worker(void *p)
{
    int r = pthread_barrier_wait(&both);
    assert(r == 0);
    return p;
}

int main(void)
{
    pthread_barrier_init(&both, NULL, 2);
    pthread_t t = start(worker, NULL);
    pthread_barrier_wait(&both);
    join(t);
    return ok();
}
