/* planted: deadlock: a thread that finds the lock taken ends without waiting at the barrier */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *worker(void *p)
{
    if (pthread_mutex_trylock(&m) != 0)
        return p;
    pthread_mutex_unlock(&m);
    pthread_barrier_wait(&both);
    return p;
}

int main(void)
{
    pthread_barrier_init(&both, NULL, 2);
    pthread_t t = start(worker, NULL), u = start(worker, NULL);
    join(t);
    join(u);
    return ok();
}
