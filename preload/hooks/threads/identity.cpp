// Attributes, names, clocks and ids of threads. The kernel knows none of them as the program sees them.
#include <sys/prctl.h>

#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"

namespace raddle {

namespace {
pid_t process_id = 0;  // as the program sees it
pid_t parent_id = 0;
}  // namespace

void set_process_ids(int process, int parent) {
    process_id = process;
    parent_id = parent;
}

void renew_process_ids() {
    parent_id = process_id != 0 ? process_id : static_cast<pid_t>(raw::call(SYS_getppid));
    process_id = static_cast<pid_t>(raw::call(SYS_getpid));
}

int id_of(const Thread& thread) {
    return hooks::getpid() + (thread.id == main_thread ? 0 : static_cast<int>(thread.arena));
}

Thread* thread_with_id(int id) {
    const std::int64_t arena = std::int64_t{id} - hooks::getpid();
    if (arena < 0 || arena >= thread_table::count) return nullptr;
    Thread& thread = thread_table::at(static_cast<std::uint32_t>(arena));
    return thread.known ? &thread : nullptr;
}

pid_t kernel_id_of(pid_t id) {
    if (id == process_id) return static_cast<pid_t>(raw::call(SYS_getpid));
    if (id == parent_id) return static_cast<pid_t>(raw::call(SYS_getppid));
    if (backend::kind != backend::Kind::kernel_threads) return id;
    const Thread* const thread = thread_with_id(id);
    return thread != nullptr && thread->context.kernel_id != 0 ? static_cast<pid_t>(thread->context.kernel_id) : id;
}

}  // namespace raddle

// Runs before the fork server starts: its children keep the server's id.
__attribute__((constructor(101))) static void raddle_set_first_process_id() {
    if (raddle::process_id == 0) raddle::renew_process_ids();
}

namespace raddle::hooks {

int pthread_getattr_np(pthread_t handle, pthread_attr_t* attr) {
    const Thread* thread = thread_table::find(handle);
    if (thread == nullptr) return ESRCH;
    if (thread == &thread_table::main()) {
        // libc asks the kernel for the processors of the thread with main's id, so it is the kernel's meanwhile.
        const std::int32_t id = backend::set_id_of_main(static_cast<std::int32_t>(raw::call(SYS_getpid)));
        const int error = real::pthread_getattr_np(handle, attr);
        backend::set_id_of_main(id);
        if (error != 0) return error;
    } else {
        pthread_attr_init(attr);
        pthread_attr_setstack(attr, thread->context.stack, thread->context.stack_bytes);
        pthread_attr_setguardsize(attr, thread->context.stack_is_users ? 0 : thread->context.guard_bytes);
    }
    pthread_attr_setdetachstate(attr, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    return 0;
}

int pthread_setname_np(pthread_t handle, const char* name) {
    Thread* thread = thread_table::find(handle);
    if (thread == nullptr) return ESRCH;
    const std::size_t length = std::strlen(name);
    if (length >= sizeof thread->name) return ERANGE;
    std::memcpy(thread->name, name, length + 1);
    backend::show_name(thread->context, name);
    return 0;
}

int pthread_getname_np(pthread_t handle, char* name, size_t bytes) {
    const Thread* thread = thread_table::find(handle);
    if (thread == nullptr) return ESRCH;
    const std::size_t length = std::strlen(thread->name);
    if (bytes < sizeof thread->name) return ERANGE;
    std::memcpy(name, thread->name, length + 1);
    return 0;
}

int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    constexpr std::size_t longest = 16;  // including the terminating zero
    if (option == PR_SET_NAME) {
        char name[longest] = {};
        std::strncpy(name, reinterpret_cast<const char*>(a), longest - 1);
        return hooks::pthread_setname_np(::pthread_self(), name) == 0 ? 0 : as_errno::refused(EINVAL);
    }
    if (option == PR_GET_NAME)
        return hooks::pthread_getname_np(::pthread_self(), reinterpret_cast<char*>(a), longest) == 0
                   ? 0
                   : as_errno::refused(EINVAL);
    switch (option) {
        case PR_SET_SECCOMP:
        case PR_SET_NO_NEW_PRIVS:
        case PR_SET_KEEPCAPS:
        case PR_SET_SECUREBITS:
        case PR_CAPBSET_DROP:
        case PR_CAP_AMBIENT:
        case PR_SET_TIMERSLACK:
        case PR_SET_PDEATHSIG:
        case PR_SET_TSC:
        case PR_SET_SPECULATION_CTRL: scheduler::needs_kernel_threads("prctl"); break;
        default: break;
    }
    undo::cannot("prctl");
    return real::prctl(option, a, b, c, d);
}

int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
    if (thread_table::find(handle) == nullptr) return ESRCH;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

pid_t getpid() {
    if (process_id == 0) renew_process_ids();
    return process_id;
}

pid_t getppid() {
    hooks::getpid();
    return parent_id;
}

pid_t gettid() { return id_of(scheduler::current()); }

}  // namespace raddle::hooks
