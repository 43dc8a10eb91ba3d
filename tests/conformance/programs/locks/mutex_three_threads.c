/* conformance: pthread_mutex_lock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order[3], next;

static void *enter(void *p)
{
    pthread_mutex_lock(&m);
    order[next++] = *(int *)p;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    int names[] = {1, 2, 4};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        t[i] = start(enter, &names[i]);
    for (int i = 0; i < 3; i++)
        join(t[i]);
    CHECK_EQ(next, 3);
    CHECK_EQ(order[0] + order[1] + order[2], 7); /* each thread once, in any order */
    return ok();
}
