/* conformance: pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_timedlock, pthread_rwlock_rdlock, pthread_rwlock_wrlock, pthread_barrier_wait, pthread_spin_lock, pthread_once, sem_post, sem_trywait, pthread_cond_signal, sched_yield, pthread_cancel */
#include "check.h"
#include <sched.h>
#include <semaphore.h>
#include "cancel.h"

static void nothing(void) {}

/* None of these calls may act on a pending cancellation. */
static void no_points(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_barrier_t barrier;
    pthread_spinlock_t spin;
    sem_t sem;
    struct timespec later = in_ms(CLOCK_REALTIME, 1000);
    CHECK_EQ(pthread_mutex_lock(&m), 0);
    CHECK_EQ(pthread_mutex_trylock(&m), EBUSY);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_mutex_timedlock(&m, &later), 0);
    CHECK_EQ(pthread_mutex_unlock(&m), 0);
    CHECK_EQ(pthread_rwlock_rdlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_wrlock(&rw), 0);
    CHECK_EQ(pthread_rwlock_unlock(&rw), 0);
    CHECK_EQ(pthread_barrier_init(&barrier, NULL, 1), 0);
    CHECK_EQ(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
    CHECK_EQ(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
    CHECK_EQ(pthread_spin_lock(&spin), 0);
    CHECK_EQ(pthread_spin_unlock(&spin), 0);
    CHECK_EQ(pthread_once(&once, nothing), 0);
    CHECK_EQ(sem_init(&sem, 0, 0), 0);
    CHECK_EQ(sem_post(&sem), 0);
    CHECK_EQ(sem_trywait(&sem), 0);
    CHECK_EQ(pthread_cond_signal(&c), 0);
    CHECK_EQ(pthread_cond_broadcast(&c), 0);
    CHECK_EQ(sched_yield(), 0);
}

int main(void)
{
    CHECK(!cancelled_in(no_points));
    return ok();
}
