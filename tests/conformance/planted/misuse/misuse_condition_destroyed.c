/* planted: misuse: main destroys a condition on which the worker may wait */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *p)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(waiter, NULL);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_mutex_unlock(&m); /* the signal is missing here */
    pthread_cond_destroy(&c);
    join(t);
    return ok();
}
