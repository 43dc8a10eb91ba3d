// syscall(). Known numbers have the meaning of the function of that name. Calls that start threads or block unseen
// end the execution. All others go to the kernel.
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "preload/base/raw.h"
#include "preload/hooks/sync/futex.h"
#include "preload/hooks/threads/scheduling.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/memory/calls/effects.h"
#include "preload/memory/calls/unfollowed_calls.h"
#include "preload/restore/undo.h"

namespace raddle {

namespace {

// Calls a function with the arguments of a system call.
template <typename Result, typename... Parameters, std::size_t... Index>
long apply(Result (*function)(Parameters...), const long (&words)[6], std::index_sequence<Index...>) {
    return (long)function((Parameters)words[Index]...);  // a number or an address
}
template <typename Result, typename... Parameters>
long redirect(Result (*function)(Parameters...), const long (&words)[6]) {
    return apply(function, words, std::index_sequence_for<Parameters...>{});
}

// Calls of numbers for which no table has effects are noted, except those that access no memory of the program.
bool accesses_memory(long number) {
    switch (number) {
        case SYS_gettid:
        case SYS_getpid:
        case SYS_getppid:
        case SYS_getuid:
        case SYS_geteuid:
        case SYS_getgid:
        case SYS_getegid:
        case SYS_tgkill:
        case SYS_tkill:
        case SYS_kill:
        case SYS_membarrier:
        case SYS_close_range:
        case SYS_pidfd_open:
        case SYS_memfd_create:
        case SYS_madvise:
        case SYS_mprotect:
        case SYS_munmap:
        case SYS_mmap:
        case SYS_fsync:
        case SYS_lseek:
        case SYS_exit:
        case SYS_exit_group: return false;
        default: return true;
    }
}

void refuse(const char* name) {
    if (recorded() && scheduler::is_target())
        scheduler::end_with(channel::End::uncontrolled, "the program makes the system call ", name);
}

// A program that can do without the call does so, and is explored on that way.
long fail_as_older_kernel(const char* name) {
    if (recorded() && scheduler::is_target()) scheduler::note_missing_call(name);
    return as_errno::refused(ENOSYS);
}

// The system call returns the size of what it wrote.
long bytes_of_affinity(pid_t thread, std::size_t size, cpu_set_t* set) {
    return hooks::sched_getaffinity(thread, size, set) == 0 ? 8 : -1;
}

// In the kernel's encoding, which is never negative.
long kernels_priority(int which, id_t who) {
    errno = 0;
    const int nice = hooks::getpriority(which, who);
    return nice == -1 && errno != 0 ? -1 : 20 - nice;
}

// Numbers that the headers of glibc 2.36 do not have.
constexpr long number_of_futex_wake = 454, number_of_futex_wait = 455, number_of_futex_requeue = 456;

long pass_on(long number, const long (&words)[6]) {
    undo::used_outside();
    return from_kernel(raw::call6(number, words[0], words[1], words[2], words[3], words[4], words[5]));
}

}  // namespace

namespace hooks {

long syscall(long number, long a, long b, long c, long d, long e, long f) {
    const long words[6] = {a, b, c, d, e, f};
    switch (number) {
        case SYS_futex:
            return from_kernel(futex::call(reinterpret_cast<std::uint32_t*>(a), static_cast<int>(b),
                                           static_cast<std::uint32_t>(c), reinterpret_cast<void*>(d),
                                           reinterpret_cast<std::uint32_t*>(e), static_cast<std::uint32_t>(f)));
        case number_of_futex_wake: return fail_as_older_kernel("futex_wake");
        case number_of_futex_wait: return fail_as_older_kernel("futex_wait");
        case number_of_futex_requeue: return fail_as_older_kernel("futex_requeue");
        case SYS_signalfd4:
            return hooks::signalfd(static_cast<int>(a), reinterpret_cast<sigset_t*>(b), static_cast<int>(d));
        case SYS_sched_yield: return act(of(Operation::yield)).result;
        case SYS_clock_nanosleep: {
            const int error = hooks::clock_nanosleep(static_cast<clockid_t>(a), static_cast<int>(b),
                                                     reinterpret_cast<timespec*>(c), reinterpret_cast<timespec*>(d));
            return from_kernel(-error);
        }
        case SYS_sched_getaffinity:
            return bytes_of_affinity(static_cast<pid_t>(a), static_cast<std::size_t>(b),
                                     reinterpret_cast<cpu_set_t*>(c));
        case SYS_sched_getattr:
            return from_kernel(scheduling::get_attributes(static_cast<pid_t>(a), reinterpret_cast<void*>(b),
                                                          static_cast<unsigned>(c), static_cast<unsigned>(d)));
        case SYS_sched_setattr:
            return from_kernel(scheduling::set_attributes(static_cast<pid_t>(a), reinterpret_cast<void*>(b),
                                                          static_cast<unsigned>(c)));
        case SYS_ioprio_get:
            return from_kernel(scheduling::get_disk_priority(static_cast<int>(a), static_cast<int>(b)));
        case SYS_ioprio_set:
            return from_kernel(
                scheduling::set_disk_priority(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
        case SYS_getpriority: return kernels_priority(static_cast<int>(a), static_cast<id_t>(b));
        case SYS_exit_group:
            hooks::_exit(static_cast<int>(a));
            // Calls the exported symbol, so that libraries in front of the shim are called, too.
// clang-format off
#define RADDLE_SYSCALL(name, function)                                                                           \
    case SYS_##name:                                                                                             \
        return memory::effects::follow<memory::effects::rows_of(#name)>(call_site, [&] {                         \
            return redirect(function, words);                                                                    \
        })(a, b, c, d, e, f);
#define RADDLE_SYSCALL_REFUSE(name) \
    case SYS_##name: refuse(#name); break;
#define RADDLE_SYSCALL_OF_NEWER_KERNELS(name) \
    case SYS_##name: return fail_as_older_kernel(#name);
#define RADDLE_SYSCALL_PER_THREAD(name)         \
    case SYS_##name:                            \
        scheduler::needs_kernel_threads(#name); \
        undo::cannot(#name);                    \
        break;
#include "preload/intercept/functions.def"
            // clang-format on
        default:
            if (memory::effects::counts(call_site) && accesses_memory(number)) memory::unfollowed::note("syscall");
            undo::cannot("syscall (with a number unknown to raddle)");
            break;
    }
    return pass_on(number, words);
}

}  // namespace hooks

}  // namespace raddle
