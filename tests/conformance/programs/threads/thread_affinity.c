/* conformance: pthread_getaffinity_np, pthread_setaffinity_np, sched_getaffinity, sched_setaffinity */
#include "check.h"
#include <sched.h>

static cpu_set_t all;

static void *narrow(void *p)
{
    cpu_set_t mine, one;
    CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &all)); /* inherited */
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &one));
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &all));
    CPU_ZERO(&one);
    CHECK_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), EINVAL); /* an empty CPU set */
    return p;
}

int main(void)
{
    cpu_set_t mine;
    CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof all, &all), 0);
    CHECK(CPU_COUNT(&all) >= 1);
    CHECK_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &all));
    join(start(narrow, NULL));
    CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &all)); /* the thread's change has no effect on main */
    return ok();
}
