/* conformance: pthread_exit, atexit */
#include "check.h"

/* When the last thread ends, the process exits with status 0 and runs the exit handlers. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int worked;

static void at_end(void)
{
    CHECK_EQ(worked, 1);
    ok();
}

static void *work(void *p)
{
    pthread_mutex_lock(&m);
    worked = 1;
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    CHECK_EQ(atexit(at_end), 0);
    start(work, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_exit(NULL);
}
