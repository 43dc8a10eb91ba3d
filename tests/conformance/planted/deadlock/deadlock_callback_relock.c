/* planted: deadlock: a callback locks the mutex its caller holds, if another thread registers it early enough */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void (*callback)(void);

static void locking(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void *registrar(void *p)
{
    pthread_mutex_lock(&m);
    callback = locking;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(registrar, NULL);
    pthread_mutex_lock(&m);
    if (callback)
        callback();
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
