/* conformance: pthread_mutexattr_init, pthread_mutexattr_destroy, pthread_mutexattr_gettype, pthread_mutexattr_settype, pthread_mutexattr_getpshared, pthread_mutexattr_setpshared, pthread_mutexattr_getprotocol, pthread_mutexattr_setprotocol, pthread_mutexattr_getrobust, pthread_mutexattr_setrobust */
#include "check.h"

int main(void)
{
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP},
                     protocols[] = {PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT, PTHREAD_PRIO_NONE};
    pthread_mutexattr_t attr;
    int v = -1;
    CHECK_EQ(pthread_mutexattr_init(&attr), 0);
    CHECK_EQ(pthread_mutexattr_gettype(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_MUTEX_DEFAULT);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(pthread_mutexattr_settype(&attr, types[i]), 0);
        CHECK_EQ(pthread_mutexattr_gettype(&attr, &v), 0);
        CHECK_EQ(v, types[i]);
    }
    CHECK_EQ(pthread_mutexattr_settype(&attr, 99), EINVAL);
    CHECK_EQ(pthread_mutexattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_PRIVATE);
    CHECK_EQ(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    CHECK_EQ(pthread_mutexattr_getpshared(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PROCESS_SHARED);
    CHECK_EQ(pthread_mutexattr_setpshared(&attr, 99), EINVAL);
    CHECK_EQ(pthread_mutexattr_getprotocol(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_PRIO_NONE);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(pthread_mutexattr_setprotocol(&attr, protocols[i]), 0);
        CHECK_EQ(pthread_mutexattr_getprotocol(&attr, &v), 0);
        CHECK_EQ(v, protocols[i]);
    }
    CHECK_EQ(pthread_mutexattr_setprotocol(&attr, 99), EINVAL);
    CHECK_EQ(pthread_mutexattr_getrobust(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_MUTEX_STALLED);
    CHECK_EQ(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST), 0);
    CHECK_EQ(pthread_mutexattr_getrobust(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_MUTEX_ROBUST);
    CHECK_EQ(pthread_mutexattr_setrobust(&attr, 99), EINVAL);
    CHECK_EQ(pthread_mutexattr_gettype(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_MUTEX_ADAPTIVE_NP); /* the other setters did not change it */
    CHECK_EQ(pthread_mutexattr_destroy(&attr), 0);
    return ok();
}
