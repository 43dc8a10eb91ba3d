/* planted: assert: the exit handler assumes that the detached worker is done */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int saved;

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    saved = 1;
    pthread_mutex_unlock(&m);
    return p;
}

static void at_end(void)
{
    pthread_mutex_lock(&m);
    int seen = saved;
    pthread_mutex_unlock(&m);
    assert(seen);
    ok();
    fflush(stdout);
}

int main(void)
{
    atexit(at_end);
    pthread_detach(start(worker, NULL));
    sched_yield();
    return 0;
}
