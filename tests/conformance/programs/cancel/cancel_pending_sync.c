/* conformance: pthread_cond_wait, pthread_cond_timedwait, pthread_cond_clockwait, pthread_join, sem_wait, sem_timedwait, sem_clockwait, pthread_cancel */
#include "check.h"
#include <semaphore.h>
#include "cancel.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t full, empty; /* a wait on `full` would not block, but is a cancellation point */
static pthread_t blocked;
static struct timespec later;

static void unlock(void *p) { CHECK_EQ(pthread_mutex_unlock((pthread_mutex_t *)p), 0); }

#define POINT(name, call)                       \
    static void name(void)                      \
    {                                           \
        pthread_mutex_lock(&m);                 \
        pthread_cleanup_push(unlock, &m);       \
        call;                                   \
        pthread_cleanup_pop(1);                 \
    }
POINT(in_cond_wait, pthread_cond_wait(&c, &m))
POINT(in_cond_timedwait, pthread_cond_timedwait(&c, &m, &later))
POINT(in_cond_clockwait, pthread_cond_clockwait(&c, &m, CLOCK_REALTIME, &later))
static void in_join(void) { pthread_join(blocked, NULL); }
static void in_sem_wait(void) { sem_wait(&full); }
static void in_sem_timedwait(void) { sem_timedwait(&full, &later); }
static void in_sem_clockwait(void) { sem_clockwait(&empty, CLOCK_REALTIME, &later); }

static void *wait_for_m(void *p)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return p;
}

int main(void)
{
    sem_init(&full, 0, 10);
    sem_init(&empty, 0, 0);
    later = in_ms(CLOCK_REALTIME, 3000);
    CHECK(cancelled_in(in_cond_wait));
    CHECK(cancelled_in(in_cond_timedwait));
    CHECK(cancelled_in(in_cond_clockwait));
    CHECK(cancelled_in(in_sem_wait));
    CHECK(cancelled_in(in_sem_timedwait));
    CHECK(cancelled_in(in_sem_clockwait));
    pthread_mutex_lock(&m);
    blocked = start(wait_for_m, &m);
    CHECK(cancelled_in(in_join));
    pthread_mutex_unlock(&m);
    CHECK(join(blocked) == &m); /* the thread is still joinable */
    return ok();
}
