/* conformance: pthread_mutex_lock, pthread_mutex_unlock */
#include "check.h"

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int depth, rounds;

static void *nested(void *p)
{
    pthread_mutex_lock(&m);
    CHECK_EQ(depth++, 0);
    pthread_mutex_lock(&m);
    CHECK_EQ(depth++, 1);
    rounds++;
    depth--;
    pthread_mutex_unlock(&m);
    CHECK_EQ(--depth, 0);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t a = start(nested, NULL), b = start(nested, NULL);
    join(a);
    join(b);
    CHECK_EQ(rounds, 2);
    return ok();
}
