/* planted: assert: main sleeps a little and assumes that the worker is done */
#include "check.h"
#include <assert.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(worker, NULL);
    usleep(20000);
    pthread_mutex_lock(&m);
    int seen = done;
    pthread_mutex_unlock(&m);
    assert(seen);
    join(t);
    return ok();
}
