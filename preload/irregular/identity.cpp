// Who a thread is, as it can ask: its attributes, name, clock and kernel id, none of which the kernel knows.
#include <cstring>

#include "preload/describe.h"
#include "preload/raw.h"
#include "preload/real.h"

namespace raddle::irregular {

int pthread_getattr_np(pthread_t handle, pthread_attr_t* attr) {
    const Thread* thread = threads_of_target::find(handle);
    if (thread == nullptr) return ESRCH;
    if (thread == &threads_of_target::main()) {
        if (const int error = real::pthread_getattr_np(handle, attr); error != 0) return error;
    } else {
        pthread_attr_init(attr);
        pthread_attr_setstack(attr, thread->strand.stack, thread->strand.stack_bytes);
        pthread_attr_setguardsize(attr, thread->strand.stack_is_users ? 0 : thread->strand.guard_bytes);
    }
    pthread_attr_setdetachstate(attr, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    return 0;
}

int pthread_setname_np(pthread_t handle, const char* name) {
    Thread* thread = threads_of_target::find(handle);
    if (thread == nullptr) return ESRCH;
    const std::size_t length = std::strlen(name);
    if (length >= sizeof thread->name) return ERANGE;
    std::memcpy(thread->name, name, length + 1);
    return 0;
}

int pthread_getname_np(pthread_t handle, char* name, size_t bytes) {
    const Thread* thread = threads_of_target::find(handle);
    if (thread == nullptr) return ESRCH;
    const std::size_t length = std::strlen(thread->name);
    if (bytes < sizeof thread->name) return ERANGE;
    std::memcpy(name, thread->name, length + 1);
    return 0;
}

int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
    if (threads_of_target::find(handle) == nullptr) return ESRCH;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

pid_t gettid() {
    // Main's is the process's, also in the children of the fork server.
    const Thread& me = scheduler::current();
    const auto process = static_cast<pid_t>(raw::call(SYS_getpid));
    return me.id == main_thread ? process : process + static_cast<pid_t>(me.place);
}

}  // namespace raddle::irregular
