/* conformance: pthread_cond_wait, pthread_cond_signal, pthread_cancel */
#include "check.h"

/* Cancel and signal together, nothing joined between: the other waiter must still get the signal. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void unlock(UNUSED void *p) { pthread_mutex_unlock(&m); }

static void *waiter(void *p)
{
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, NULL);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(1);
    return p;
}

int main(void)
{
    int mark;
    pthread_t a = start(waiter, &mark), b = start(waiter, &mark);
    CHECK_EQ(pthread_cancel(a), 0);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    void *result = join(a); /* it may have seen go before its first wait, or been cancelled */
    CHECK(result == PTHREAD_CANCELED || result == &mark);
    CHECK(join(b) == &mark);
    return ok();
}
