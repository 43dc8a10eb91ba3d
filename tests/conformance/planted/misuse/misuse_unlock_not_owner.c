/* planted: misuse: the mutex is unlocked even if the trylock failed */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *p)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(owner, NULL);
    pthread_mutex_trylock(&m);
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
