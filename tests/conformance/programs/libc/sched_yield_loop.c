/* conformance: sched_yield, pthread_mutex_lock */
#include "check.h"
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *setter(void *p)
{
    CHECK_EQ(sched_yield(), 0);
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    pthread_t t = start(setter, NULL);
    for (int seen = 0; !seen;) { /* the loop ends only because sched_yield lets the other thread run */
        pthread_mutex_lock(&m);
        seen = flag;
        pthread_mutex_unlock(&m);
        if (!seen)
            CHECK_EQ(sched_yield(), 0);
    }
    join(t);
    return ok();
}
