/* planted: deadlock: the init function needs a lock whose owner waits for the init function */
#include "check.h"

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void init(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

static void *user(void *p)
{
    pthread_once(&control, init);
    return p;
}

int main(void)
{
    pthread_t t = start(user, NULL);
    pthread_mutex_lock(&m);
    pthread_once(&control, init);
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
