/* planted: deadlock: main joins with a lock held that the thread may still need */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *p)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(worker, NULL);
    pthread_mutex_lock(&m);
    join(t);
    pthread_mutex_unlock(&m);
    return ok();
}
