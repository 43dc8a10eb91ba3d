/* conformance: pthread_mutex_lock, pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_kill */
#include "signal_interrupts.h"

/* A handler runs in a thread that waits for a lock; the call then continues to wait. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *body(void *way)
{
    switch ((long)way) {
    case 0: CHECK_EQ(pthread_mutex_lock(&m), 0); break;
    case 1: CHECK_EQ(pthread_rwlock_rdlock(&l), 0); break;
    default: CHECK_EQ(pthread_rwlock_wrlock(&l), 0);
    }
    CHECK_EQ(handled, 1);
    CHECK_EQ((long)way == 0 ? pthread_mutex_unlock(&m) : pthread_rwlock_unlock(&l), 0);
    return NULL;
}

int main(void)
{
    handle_signals(0);
    for (long way = 0; way < 3; way++) {
        handled = 0;
        CHECK_EQ(way == 0 ? pthread_mutex_lock(&m) : pthread_rwlock_wrlock(&l), 0);
        pthread_t t = start(body, (void *)way);
        interrupt(t);
        CHECK_EQ(way == 0 ? pthread_mutex_unlock(&m) : pthread_rwlock_unlock(&l), 0);
        join(t);
    }
    return ok();
}
