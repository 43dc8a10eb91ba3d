/* planted: crash: a thread dereferences a pointer that main may not have set yet */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *volatile data;

static void *user(void *p)
{
    pthread_mutex_lock(&m);
    *data += 1;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    int value = 1;
    pthread_t t = start(user, NULL);
    pthread_mutex_lock(&m);
    data = &value;
    pthread_mutex_unlock(&m);
    join(t);
    CHECK_EQ(value, 2);
    return ok();
}
