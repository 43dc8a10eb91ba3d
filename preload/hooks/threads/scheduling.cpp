// Scheduling policies and priorities, of processor and disk. Values are remembered and returned, and have no effect.
#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/threads/identity.h"
#include "preload/hooks/threads/scheduling.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle {

namespace {

struct Parameters {
    ThreadId thread{};
    bool set = false;
    int policy = SCHED_OTHER;
    int priority = 0;
    int nice = 0;
    int disk = 0;
};
Parameters table[thread_table::count];

// Values of an earlier thread of this arena do not count.
Parameters parameters_of(const Thread& thread) {
    const Parameters& known = table[thread.arena];
    return known.set && known.thread == thread.id ? known : Parameters{};
}

void keep(const Thread& thread, Parameters now) {
    now.thread = thread.id;
    now.set = true;
    table[thread.arena] = now;
}

// Checks as the kernel does for a privileged process. Otherwise the result would depend on the machine's settings.
int change(const Thread& thread, int policy, int priority) {
    const int plain = policy & ~SCHED_RESET_ON_FORK;
    const bool real_time = plain == SCHED_FIFO || plain == SCHED_RR;
    if (!real_time && plain != SCHED_OTHER && plain != SCHED_BATCH && plain != SCHED_IDLE) return EINVAL;
    if (real_time ? priority < 1 || priority > 99 : priority != 0) return EINVAL;
    Parameters now = parameters_of(thread);
    now.policy = plain;
    now.priority = priority;
    keep(thread, now);
    return 0;
}

void change_nice(const Thread& thread, int nice) {
    Parameters now = parameters_of(thread);
    now.nice = nice < -20 ? -20 : nice > 19 ? 19 : nice;
    keep(thread, now);
}

int as_call(int error) { return error == 0 ? 0 : as_errno::refused(error); }

const Thread* thread_of(pid_t pid) { return pid == 0 ? &scheduler::current() : thread_with_id(pid); }

// The kernel's layout. Later fields stay unchanged.
struct Attributes {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
};

}  // namespace

namespace scheduling {

int begin(const Thread& child, const Thread& creator, const pthread_attr_t* attr) {
    int inherits = PTHREAD_INHERIT_SCHED, policy = SCHED_OTHER;
    if (attr != nullptr) pthread_attr_getinheritsched(attr, &inherits);
    Parameters now = parameters_of(creator);
    if (now.set) keep(child, now);
    if (inherits != PTHREAD_EXPLICIT_SCHED) return 0;
    sched_param parameters{};
    pthread_attr_getschedpolicy(attr, &policy);
    pthread_attr_getschedparam(attr, &parameters);
    return change(child, policy, parameters.sched_priority);
}

long get_attributes(pid_t pid, void* to, unsigned size, unsigned flags) {
    const Thread* thread = thread_of(pid);
    if (thread == nullptr) return raw::call(SYS_sched_getattr, pid, to, size, flags);
    if (to == nullptr || pid < 0 || size < sizeof(Attributes) || flags != 0) return -EINVAL;
    const Parameters known = parameters_of(*thread);
    Attributes attributes{};
    attributes.size = sizeof attributes;
    attributes.policy = static_cast<std::uint32_t>(known.policy);
    attributes.priority = static_cast<std::uint32_t>(known.priority);
    attributes.nice = known.nice;
    std::memcpy(to, &attributes, sizeof attributes);
    return 0;
}

long set_attributes(pid_t pid, const void* from, unsigned flags) {
    const Thread* thread = thread_of(pid);
    if (thread == nullptr) return raw::call(SYS_sched_setattr, pid, from, flags);
    if (from == nullptr || flags != 0) return -EINVAL;
    Attributes wanted;
    std::memcpy(&wanted, from, sizeof wanted);
    if (wanted.size != 0 && wanted.size < sizeof wanted) return -E2BIG;
    if (const int error = change(*thread, static_cast<int>(wanted.policy), static_cast<int>(wanted.priority));
        error != 0)
        return -error;
    if (wanted.policy == SCHED_OTHER || wanted.policy == SCHED_BATCH) change_nice(*thread, wanted.nice);
    return 0;
}

namespace {
constexpr int of_one = 1;  // IOPRIO_WHO_PROCESS: one thread
}

long get_disk_priority(int which, int who) {
    const Thread* thread = which == of_one ? thread_of(who) : nullptr;
    return thread != nullptr ? parameters_of(*thread).disk : raw::call(SYS_ioprio_get, which, who);
}

long set_disk_priority(int which, int who, int priority) {
    const Thread* thread = which == of_one ? thread_of(who) : nullptr;
    if (thread == nullptr) {
        undo::cannot("ioprio_set");
        return raw::call(SYS_ioprio_set, which, who, priority);
    }
    Parameters now = parameters_of(*thread);
    now.disk = priority;
    keep(*thread, now);
    return 0;
}

}  // namespace scheduling

namespace hooks {

int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) {
    const Thread* thread = thread_table::find(handle);
    return thread == nullptr ? ESRCH : change(*thread, policy, parameters->sched_priority);
}

int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) {
    const Thread* thread = thread_table::find(handle);
    if (thread == nullptr) return ESRCH;
    *policy = parameters_of(*thread).policy;
    parameters->sched_priority = parameters_of(*thread).priority;
    return 0;
}

int pthread_setschedprio(pthread_t handle, int priority) {
    const Thread* thread = thread_table::find(handle);
    return thread == nullptr ? ESRCH : change(*thread, parameters_of(*thread).policy, priority);
}

int sched_setscheduler(pid_t pid, int policy, const sched_param* parameters) {
    const Thread* thread = thread_of(pid);
    return thread == nullptr ? real::sched_setscheduler(pid, policy, parameters)
                             : as_call(change(*thread, policy, parameters->sched_priority));
}

int sched_getscheduler(pid_t pid) {
    const Thread* thread = thread_of(pid);
    return thread == nullptr ? real::sched_getscheduler(pid) : parameters_of(*thread).policy;
}

int sched_setparam(pid_t pid, const sched_param* parameters) {
    const Thread* thread = thread_of(pid);
    return thread == nullptr ? real::sched_setparam(pid, parameters)
                             : as_call(change(*thread, parameters_of(*thread).policy, parameters->sched_priority));
}

int sched_getparam(pid_t pid, sched_param* parameters) {
    const Thread* thread = thread_of(pid);
    if (thread == nullptr) return real::sched_getparam(pid, parameters);
    parameters->sched_priority = parameters_of(*thread).priority;
    return 0;
}

int getpriority(int which, id_t who) {
    const Thread* thread = which == PRIO_PROCESS ? thread_of(static_cast<pid_t>(who)) : nullptr;
    return thread == nullptr ? real::getpriority(which, who) : parameters_of(*thread).nice;
}

int setpriority(int which, id_t who, int nice) {
    const Thread* thread = which == PRIO_PROCESS ? thread_of(static_cast<pid_t>(who)) : nullptr;
    if (thread == nullptr) {
        undo::cannot("setpriority");
        return real::setpriority(which, who, nice);
    }
    change_nice(*thread, nice);
    return 0;
}

int nice(int more) {
    const Thread& me = scheduler::current();
    change_nice(me, parameters_of(me).nice + more);
    return parameters_of(me).nice;
}

}  // namespace hooks

}  // namespace raddle
