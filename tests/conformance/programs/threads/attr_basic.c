/* conformance: pthread_attr_init, pthread_attr_destroy, pthread_attr_getdetachstate, pthread_attr_setdetachstate, pthread_attr_getscope, pthread_attr_setscope, pthread_attr_getinheritsched, pthread_attr_setinheritsched, pthread_attr_getschedpolicy, pthread_attr_setschedpolicy, pthread_attr_getschedparam, pthread_attr_setschedparam */
#include "check.h"
#include <sched.h>

int main(void)
{
    pthread_attr_t attr;
    int v;
    struct sched_param param;
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_getdetachstate(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_CREATE_JOINABLE);
    CHECK_EQ(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED), 0);
    CHECK_EQ(pthread_attr_getdetachstate(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_CREATE_DETACHED);
    CHECK_EQ(pthread_attr_setdetachstate(&attr, 99), EINVAL);
    CHECK_EQ(pthread_attr_getscope(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_SCOPE_SYSTEM);
    CHECK_EQ(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM), 0);
    CHECK_EQ(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS), ENOTSUP);
    CHECK_EQ(pthread_attr_getinheritsched(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_INHERIT_SCHED);
    CHECK_EQ(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED), 0);
    CHECK_EQ(pthread_attr_getinheritsched(&attr, &v), 0);
    CHECK_EQ(v, PTHREAD_EXPLICIT_SCHED);
    CHECK_EQ(pthread_attr_getschedpolicy(&attr, &v), 0);
    CHECK_EQ(v, SCHED_OTHER);
    CHECK_EQ(pthread_attr_setschedpolicy(&attr, SCHED_FIFO), 0);
    CHECK_EQ(pthread_attr_getschedpolicy(&attr, &v), 0);
    CHECK_EQ(v, SCHED_FIFO);
    CHECK_EQ(pthread_attr_setschedpolicy(&attr, 12345), EINVAL);
    CHECK_EQ(pthread_attr_getschedparam(&attr, &param), 0);
    CHECK_EQ(param.sched_priority, 0);
    param.sched_priority = sched_get_priority_min(SCHED_FIFO);
    CHECK_EQ(pthread_attr_setschedparam(&attr, &param), 0);
    param.sched_priority = 0;
    CHECK_EQ(pthread_attr_getschedparam(&attr, &param), 0);
    CHECK_EQ(param.sched_priority, sched_get_priority_min(SCHED_FIFO));
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    return ok();
}
