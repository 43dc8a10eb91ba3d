// Scheduling policies and priorities: what a thread was told to have is what it is told it has. Nobody acts on them.
#include "preload/describe.h"
#include "preload/real.h"

namespace raddle {

namespace {

struct Parameters {
    ThreadId thread{};
    bool set = false;
    int policy = SCHED_OTHER;
    int priority = 0;
};
Parameters table[threads_of_target::count];

// What was set for an earlier thread of that place is none of this one's.
Parameters parameters_of(const Thread& thread) {
    const Parameters& known = table[thread.place];
    return known.set && known.thread == thread.id ? known : Parameters{};
}

// Checked as the kernel does, whose answer to a process without privileges would depend on where it runs.
int change(const Thread& thread, int policy, int priority) {
    const int plain = policy & ~SCHED_RESET_ON_FORK;
    const bool real_time = plain == SCHED_FIFO || plain == SCHED_RR;
    if (!real_time && plain != SCHED_OTHER && plain != SCHED_BATCH && plain != SCHED_IDLE) return EINVAL;
    if (real_time ? priority < 1 || priority > 99 : priority != 0) return EINVAL;
    table[thread.place] = {thread.id, true, plain, priority};
    return 0;
}

int as_call(int error) { return error == 0 ? 0 : as_errno::refused(error); }

const Thread* thread_of(pid_t pid) {
    if (pid == 0) return &scheduler::current();
    const int place = pid - irregular::getpid();
    if (place < 0 || place >= static_cast<int>(threads_of_target::count)) return nullptr;
    const Thread& thread = threads_of_target::at(static_cast<std::uint32_t>(place));
    return thread.known ? &thread : nullptr;
}

}  // namespace

namespace irregular {

int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) {
    const Thread* thread = threads_of_target::find(handle);
    return thread == nullptr ? ESRCH : change(*thread, policy, parameters->sched_priority);
}

int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) {
    const Thread* thread = threads_of_target::find(handle);
    if (thread == nullptr) return ESRCH;
    *policy = parameters_of(*thread).policy;
    parameters->sched_priority = parameters_of(*thread).priority;
    return 0;
}

int pthread_setschedprio(pthread_t handle, int priority) {
    const Thread* thread = threads_of_target::find(handle);
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

}  // namespace irregular

}  // namespace raddle
