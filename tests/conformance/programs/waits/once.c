/* conformance: pthread_once */
#include "check.h"

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int runs, finished;

static void init(void)
{
    pthread_mutex_lock(&m); /* the other threads may run here */
    runs++;
    pthread_mutex_unlock(&m);
    finished = 1;
}

static void *body(void *p)
{
    CHECK_EQ(pthread_once(&control, init), 0);
    CHECK_EQ(finished, 1); /* finished, in this thread or another */
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    CHECK_EQ(pthread_once(&control, init), 0);
    CHECK_EQ(runs, 1);
    return ok();
}
