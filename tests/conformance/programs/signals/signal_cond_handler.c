/* conformance: pthread_cond_wait, pthread_cond_timedwait, pthread_kill */
#include "signal_interrupts.h"

/* The handler runs during the wait, without the mutex. The wait continues: only a signal of
   the condition, or the time-out, ends it. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits, go;

static void *waiter(void *timed)
{
    const struct timespec deadline = in_ms(CLOCK_REALTIME, 60000);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    waits = 1;
    if (timed == NULL)
        CHECK_EQ(pthread_cond_wait(&c, &m), 0);
    else
        for (int error = 0; !go;) {
            error = error == 0 ? pthread_cond_timedwait(&c, &m, &deadline) : pthread_cond_wait(&c, &m);
            CHECK(error == ETIMEDOUT || (error == 0 && go));
        }
    CHECK_EQ(go, 1);
    CHECK_EQ(handled, 1);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    return NULL;
}

int main(void)
{
    handle_signals(0);
    for (int timed = 0; timed < 2; timed++) {
        waits = go = 0;
        handled = 0;
        pthread_t t = start(waiter, timed ? &m : NULL);
        for (int ready = 0; !ready; sched_yield()) {
            CHECK_EQ(pthread_mutex_lock(&m), 0);
            ready = waits;
            CHECK_EQ(pthread_mutex_unlock(&m), 0);
        }
        interrupt(t);
        CHECK_EQ(pthread_mutex_lock(&m), 0);
        go = 1;
        CHECK_EQ(pthread_cond_signal(&c), 0);
        CHECK_EQ(pthread_mutex_unlock(&m), 0);
        join(t);
    }
    return ok();
}
