/* planted: exit: the order of the threads decides the status */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int last;

static void *set(void *p)
{
    pthread_mutex_lock(&m);
    last = *(int *)p;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    int three = 3, zero = 0;
    pthread_t t = start(set, &three), u = start(set, &zero);
    join(t);
    join(u);
    if (last == 0)
        ok();
    return last;
}
