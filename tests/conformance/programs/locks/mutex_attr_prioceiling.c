/* conformance: pthread_mutexattr_getprioceiling, pthread_mutexattr_setprioceiling, pthread_mutex_getprioceiling */
#include "check.h"
#include <sched.h>

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t m;
    int v = -1, low = sched_get_priority_min(SCHED_FIFO), high = sched_get_priority_max(SCHED_FIFO);
    CHECK_EQ(pthread_mutexattr_init(&attr), 0);
    CHECK_EQ(pthread_mutexattr_setprioceiling(&attr, high + 1), EINVAL);
    CHECK_EQ(pthread_mutexattr_setprioceiling(&attr, low + 3), 0);
    CHECK_EQ(pthread_mutexattr_getprioceiling(&attr, &v), 0);
    CHECK_EQ(v, low + 3);
    CHECK_EQ(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT), 0);
    CHECK_EQ(pthread_mutex_init(&m, &attr), 0);
    CHECK_EQ(pthread_mutex_getprioceiling(&m, &v), 0);
    CHECK_EQ(v, low + 3);
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    CHECK_EQ(pthread_mutex_init(&m, NULL), 0);
    CHECK_EQ(pthread_mutex_getprioceiling(&m, &v), EINVAL); /* the mutex has no priority ceiling */
    CHECK_EQ(pthread_mutex_destroy(&m), 0);
    CHECK_EQ(pthread_mutexattr_destroy(&attr), 0);
    return ok();
}
