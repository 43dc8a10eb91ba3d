/* planted: misuse: main destroys a mutex that the worker may hold */
#include "check.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static int begun, finished;

static void *worker(void *p)
{
    pthread_mutex_lock(&gate);
    begun = 1;
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&gate);
    finished = 1;
    pthread_mutex_unlock(&gate);
    return p;
}

int main(void)
{
    pthread_t t = start(worker, NULL);
    pthread_mutex_lock(&gate);
    int destroy = begun; /* the bug: this should test `finished` */
    pthread_mutex_unlock(&gate);
    if (destroy)
        pthread_mutex_destroy(&m);
    join(t);
    CHECK_EQ(finished, 1);
    return ok();
}
