/* conformance: sysconf, get_nprocs, get_nprocs_conf, sched_getaffinity, sched_getcpu */
#include "check.h"
#include <sched.h>
#include <sys/sysinfo.h>

static void *body(void *p)
{
    cpu_set_t set;
    int count = *(int *)p, cpu = sched_getcpu();
    CHECK_EQ(sysconf(_SC_NPROCESSORS_ONLN), count);
    CHECK_EQ(get_nprocs(), count);
    CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    CHECK(cpu >= 0 && CPU_ISSET(cpu, &set));
    return p;
}

int main(void)
{
    cpu_set_t set;
    int count = get_nprocs();
    CHECK(count >= 1);
    CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    CHECK(CPU_COUNT(&set) >= 1);
    CHECK(CPU_COUNT(&set) <= get_nprocs_conf());
    CHECK(sysconf(_SC_NPROCESSORS_CONF) >= count);
    body(&count);
    join(start(body, &count));
    return ok();
}
