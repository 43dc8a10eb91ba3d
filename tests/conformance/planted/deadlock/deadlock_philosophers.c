/* planted: deadlock: three philosophers; each takes the left fork first */
#include "check.h"

enum { count = 3 };
static pthread_mutex_t fork_at[count] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *p)
{
    int seat = *(int *)p;
    pthread_mutex_lock(&fork_at[seat]);
    pthread_mutex_lock(&fork_at[(seat + 1) % count]);
    pthread_mutex_unlock(&fork_at[(seat + 1) % count]);
    pthread_mutex_unlock(&fork_at[seat]);
    return p;
}

int main(void)
{
    int seats[count] = {0, 1, 2};
    pthread_t t[count];
    for (int i = 0; i < count; i++)
        t[i] = start(eat, &seats[i]);
    for (int i = 0; i < count; i++)
        join(t[i]);
    return ok();
}
