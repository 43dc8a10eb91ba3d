// Signals from the kernel. Faults go straight to the program's handlers. Signals from other processes are noted, and
// delivered at the next action of any thread.
#include <sys/wait.h>

#include "preload/base/raw.h"
#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/files/external.h"
#include "preload/hooks/signals/crash.h"
#include "preload/hooks/signals/cycle_counter.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/system/inline_calls.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/restore/undo.h"

namespace raddle::signals {

namespace {

constexpr std::uint64_t faults =
    bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) | bit_of(SIGILL) | bit_of(SIGTRAP) | bit_of(SIGSYS);

std::uint64_t arrived = 0;
siginfo_t last[signal_count];

// Runs asynchronously, as a signal handler.
void note(int signal, siginfo_t* info, void*) {
    last[signal] = *info;
    __atomic_or_fetch(&arrived, bit_of(signal), __ATOMIC_SEQ_CST);
    armed = true;
}

// The shim uses these signals itself, and passes the ones of the program on.
bool is_used_by_shim(int signal) {
    return (signal == SIGSYS && inline_calls::watched()) || (signal == SIGTRAP && memory::armed());
}

}  // namespace

void watch_faults(int signal) {
    if (!is_used_by_shim(signal)) crash::watch(signal);
}

void catch_external(int signal, const struct sigaction& wanted) {
    undo::signals_changed();
    const bool handled = wanted.sa_handler != SIG_DFL && wanted.sa_handler != SIG_IGN;
    if ((bit_of(signal) & faults) != 0) {
        if (is_used_by_shim(signal)) return;
        if (wanted.sa_handler == SIG_DFL) return crash::watch(signal);
        if (signal == SIGSEGV) {
            memory::unwatched::give_up();
            cycle_counter::give_up();
        }
        struct sigaction theirs = wanted;
        // The handler's own code may contain patched instructions, which raise SIGTRAP.
        if (memory::armed()) ::sigdelset(&theirs.sa_mask, SIGTRAP);
        real::sigaction(signal, &theirs, nullptr);
        return;
    }
    if (crash::is_watched(signal) && wanted.sa_handler == SIG_DFL) return crash::watch(signal);
    struct sigaction ours = wanted;
    if (handled) {
        ours.sa_sigaction = note;
        ours.sa_flags =
            SA_SIGINFO | SA_RESTART | SA_ONSTACK | (wanted.sa_flags & SA_NOCLDSTOP) | (wanted.sa_flags & SA_NOCLDWAIT);
        // Threads that exist do not know it, and need not: see need_checks().
        if (phase != Phase::scheduled) armed = true;
    }
    real::sigaction(signal, &ours, nullptr);
}

// What a thread does next follows from its own past, so all check for signals, or none does. A program that sets its
// first handler beside other threads, and then sends a signal, is launched again, and its threads check from the start.
void need_checks() {
    if (armed || phase != Phase::scheduled || !scheduler::is_target()) return;
    scheduler::shared()->result.wants_signal_checks = 1;
    scheduler::end_with(channel::End::uncontrolled,
                        "the program sets its first signal handler beside other threads, and then sends a signal");
}

namespace {
bool only_stops(int signal) { return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU; }
}  // namespace

[[noreturn]] void end_process(int signal) {
    if (only_stops(signal)) {
        undo::signals_changed();
        crash::die_by(signal);
    }
    crash::end_by_own_signal(signal);
}

void pass_to_program(int signal, siginfo_t* info, void* context) {
    const struct sigaction action = action_of(signal);
    if (disposition(signal) != Disposition::handled) return crash::die(signal, info, context);
    if ((action.sa_flags & SA_RESETHAND) != 0) action_of(signal) = {};
    const std::uint64_t traps = bit_of(SIGTRAP);
    if (signal == SIGTRAP) raw::call(SYS_rt_sigprocmask, SIG_UNBLOCK, &traps, nullptr, 8L);
    if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction(signal, info, context);
    action.sa_handler(signal);
}

bool has_external() { return __atomic_load_n(&arrived, __ATOMIC_RELAXED) != 0; }

namespace {

bool has_child() {
    siginfo_t info;
    return !raw::failed(raw::call(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, nullptr));
}

struct Waiter {
    std::uint32_t arena;
    std::uint64_t set;
};

// Called by the scheduler, on any thread.
bool has_arrived_for(void* argument) {
    const Waiter& waiter = *static_cast<Waiter*>(argument);
    return has_external() || is_pending(waiter.arena, waiter.set);
}

}  // namespace

void expect_from_child() {
    if (!recorded() || disposition(SIGCHLD) != Disposition::by_default || (mine().blocked & bit_of(SIGCHLD)) == 0)
        return;
    struct sigaction ours = {};
    ours.sa_sigaction = note;
    ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    undo::signals_changed();
    real::sigaction(SIGCHLD, &ours, nullptr);
    armed = true;
}

bool expects_from_child() { return disposition(SIGCHLD) == Disposition::handled && has_child(); }

ActionOutcome wait_for_signal(std::uint64_t set, std::uint64_t deadline, bool timed) {
    if ((set & bit_of(SIGCHLD)) == 0 || !has_child()) return sleep_in_queue(deadline, timed);
    refuse_in_queue();
    Waiter waiter{scheduler::current().arena, set};
    external::used = true;
    Action action = fds::external_wait();
    if (timed) {
        action.flags |= flag::timed | flag::absolute;
        action.set_timeout(deadline);
    }
    external::Wait& wait = external::wait_of(scheduler::current());
    wait = {};
    wait.condition = has_arrived_for;
    wait.argument = &waiter;
    const ActionOutcome outcome = act(point(action));
    take_external();
    return outcome;
}

void forget_external() { __atomic_store_n(&arrived, 0, __ATOMIC_SEQ_CST); }

void take_external() {
    std::uint64_t bits = __atomic_exchange_n(&arrived, 0, __ATOMIC_SEQ_CST);
    // SIGPIPE follows from the thread's own write, so it is not external.
    if ((bits & ~bit_of(SIGPIPE)) != 0) scheduler::note_external_event(channel::external_event::signal);
    for (int signal = 1; bits != 0; ++signal, bits >>= 1)
        if ((bits & 1) != 0) enqueue(process_wide, last[signal]);
}

}  // namespace raddle::signals
