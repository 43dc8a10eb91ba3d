/* conformance: pthread_attr_setaffinity_np, pthread_attr_getaffinity_np */
#include "check.h"
#include <sched.h>

static cpu_set_t one;

static void *body(void *p)
{
    cpu_set_t mine;
    CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof mine, &mine), 0);
    CHECK(CPU_EQUAL(&mine, &one));
    return p;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    cpu_set_t all, got;
    CHECK_EQ(pthread_getaffinity_np(pthread_self(), sizeof all, &all), 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_SET(cpu, &one);
    CHECK_EQ(pthread_attr_init(&attr), 0);
    CHECK_EQ(pthread_attr_setaffinity_np(&attr, sizeof one, &one), 0);
    CHECK_EQ(pthread_attr_getaffinity_np(&attr, sizeof got, &got), 0);
    CHECK(CPU_EQUAL(&got, &one));
    CHECK_EQ(pthread_create(&t, &attr, body, NULL), 0);
    join(t);
    CHECK_EQ(pthread_attr_destroy(&attr), 0);
    return ok();
}
