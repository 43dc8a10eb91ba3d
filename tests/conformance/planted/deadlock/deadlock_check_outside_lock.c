/* planted: deadlock: the predicate is tested before the mutex is locked, so the signal falls between test and wait */
#include "check.h"
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int go;

static void *setter(void *p)
{
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(setter, NULL);
    while (!go) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
    }
    join(t);
    return ok();
}
