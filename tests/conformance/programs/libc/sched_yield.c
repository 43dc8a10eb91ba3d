/* conformance: sched_yield */
#include "check.h"
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *body(void *p)
{
    CHECK_EQ(sched_yield(), 0);
    pthread_mutex_lock(&m);
    count++;
    CHECK_EQ(sched_yield(), 0); /* the thread keeps the lock */
    pthread_mutex_unlock(&m);
    CHECK_EQ(sched_yield(), 0);
    return p;
}

int main(void)
{
    CHECK_EQ(sched_yield(), 0); /* no other thread is left */
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    CHECK_EQ(count, 2);
    return ok();
}
