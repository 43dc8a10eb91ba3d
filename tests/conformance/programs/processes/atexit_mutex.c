/* conformance: atexit, pthread_mutex_lock, pthread_cond_wait, pthread_join */
#include "check.h"

/* Exit handlers may synchronise with threads that are still running, and may even join them. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stop;
static pthread_t worker;

static void *work(void *p)
{
    pthread_mutex_lock(&m);
    while (!stop)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return p;
}

static void stop_worker(void)
{
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    CHECK(join(worker) == &m);
    ok();
}

int main(void)
{
    CHECK_EQ(atexit(stop_worker), 0);
    worker = start(work, &m);
    return 0;
}
