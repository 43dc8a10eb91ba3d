/* conformance: pthread_getschedparam, pthread_setschedparam, pthread_setschedprio, sched_getscheduler, sched_getparam, sched_get_priority_min, sched_get_priority_max */
#include "check.h"
#include <sched.h>

static void *body(void *p)
{
    int policy = -1;
    struct sched_param param = {.sched_priority = -1};
    CHECK_EQ(pthread_getschedparam(pthread_self(), &policy, &param), 0);
    CHECK_EQ(policy, sched_getscheduler(0)); /* inherited from main */
    CHECK(param.sched_priority >= sched_get_priority_min(policy));
    CHECK(param.sched_priority <= sched_get_priority_max(policy));
    CHECK_EQ(pthread_setschedparam(pthread_self(), policy, &param), 0);
    CHECK_EQ(pthread_setschedprio(pthread_self(), param.sched_priority), 0);
    return p;
}

int main(void)
{
    struct sched_param param;
    CHECK_EQ(sched_getparam(0, &param), 0);
    CHECK(sched_get_priority_min(SCHED_FIFO) < sched_get_priority_max(SCHED_FIFO));
    CHECK_EQ(pthread_setschedparam(pthread_self(), 12345, &param), EINVAL);
    join(start(body, NULL));
    return ok();
}
