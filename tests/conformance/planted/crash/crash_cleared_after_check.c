/* planted: crash: a pointer tested under the lock is cleared before it is used */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int *volatile data = &value;

static void *user(void *p)
{
    pthread_mutex_lock(&m);
    int good = data != NULL;
    pthread_mutex_unlock(&m);
    if (good) {
        pthread_mutex_lock(&m);
        *data = 1;
        pthread_mutex_unlock(&m);
    }
    return p;
}

int main(void)
{
    pthread_t t = start(user, NULL);
    pthread_mutex_lock(&m);
    data = NULL;
    pthread_mutex_unlock(&m);
    join(t);
    return ok();
}
