/* conformance: pthread_cond_wait, pthread_cond_signal, pthread_cancel */
#include "check.h"

/* A cancelled waiter does not consume a signal that another waiter needs. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void unlock(UNUSED void *p) { pthread_mutex_unlock(&m); }

static void *cancelled(void *p)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, NULL);
    for (;;)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    return p;
}

static void *waiter(void *p)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    int mark;
    pthread_t a = start(cancelled, NULL), b = start(waiter, &mark);
    CHECK_EQ(pthread_cancel(a), 0);
    CHECK(join(a) == PTHREAD_CANCELED);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    CHECK(join(b) == &mark);
    return ok();
}
