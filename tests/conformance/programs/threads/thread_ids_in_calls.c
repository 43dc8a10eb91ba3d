// The id from gettid() works in the calls that take a thread id: scheduling, priorities, CPU affinity.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static void check(pid_t id) {
    struct attributes seen;
    memset(&seen, 0, sizeof seen);
    assert(syscall(SYS_sched_getattr, id, &seen, sizeof seen, 0) == 0 && seen.policy == SCHED_OTHER);
    assert(syscall(SYS_sched_setattr, id, &seen, 0) == 0);
    assert(syscall(SYS_sched_setattr, id, NULL, 0) == -1 && errno == EINVAL);
    assert(syscall(SYS_sched_getattr, id, &seen, 1, 0) == -1 && errno == EINVAL);
    cpu_set_t processors;
    assert(sched_getaffinity(id, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 0);
    unsigned char bits[128];
    assert(syscall(SYS_sched_getaffinity, id, sizeof bits, bits) >= 8);
    assert(sched_getscheduler(id) == SCHED_OTHER && syscall(SYS_sched_getscheduler, id) == SCHED_OTHER);
    assert(syscall(SYS_ioprio_get, 1, id) >= 0);
    errno = 0;
    const int nice_before = getpriority(PRIO_PROCESS, id);
    assert(errno == 0 && syscall(SYS_getpriority, PRIO_PROCESS, id) == 20 - nice_before);
}

static void* body(void* unused) {
    (void)unused;
    check(gettid());
    check(0);
    const int before = getpriority(PRIO_PROCESS, 0);
    assert(setpriority(PRIO_PROCESS, gettid(), before + 1) == 0);
    assert(getpriority(PRIO_PROCESS, 0) == before + 1);
    return NULL;
}

int main(void) {
    const int before = getpriority(PRIO_PROCESS, 0);
    pthread_t thread;
    assert(pthread_create(&thread, NULL, body, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
    check(getpid());
    assert(getpriority(PRIO_PROCESS, 0) == before);
    return 0;
}
