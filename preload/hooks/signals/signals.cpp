// Pending signals, and their delivery. The functions that the program calls are in signal_calls.cpp.
#include "preload/hooks/signals/signals.h"

#include <sys/wait.h>

#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/sync/futex.h"
#include "preload/intercept/real.h"
#include "preload/memory/memory.h"
#include "preload/schedule/live_registers.h"
#include "supervisor/model/tool_objects.h"

namespace raddle::signals {

bool armed = false;

namespace {

Receiver receivers[thread_table::count];
Queued queued[512];
std::uint64_t arrivals = 0;
struct sigaction actions[signal_count];  // as the program set them
std::uint64_t known_actions = 0;

// Excludes all other actions on the first queue, and comes before or after such actions on the second.
Action check_of(const ObjectId& first, const ObjectId& second) {
    Action check = futex::check(first);
    check.second = second;
    return check;
}

ObjectId queue_of(const Thread& thread) { return object_in(Space::tool, thread.id.code, tool::signals_of_thread); }

void wake_queue(const ObjectId& queue) { act_without_checks(futex::wake_all(queue)); }

// The signal to deliver next: the lowest number, and the oldest of that number, as in Linux. Null if the set has
// none.
Queued* find(std::uint32_t arena, std::uint64_t set) {
    Queued* found = nullptr;
    for (Queued& one : queued) {
        if (!one.used || one.arena != arena || (set & bit_of(one.info.si_signo)) == 0) continue;
        const bool before = found == nullptr || one.info.si_signo < found->info.si_signo ||
                            (one.info.si_signo == found->info.si_signo && one.arrival < found->arrival);
        if (before) found = &one;
    }
    return found;
}

struct Call {
    int signal;
    siginfo_t info;
    struct sigaction action;
};

void call_handler(void* argument) {
    Call& call = *static_cast<Call*>(argument);
    static ucontext_t context;  // handlers get an empty context
    if ((call.action.sa_flags & SA_SIGINFO) != 0)
        call.action.sa_sigaction(call.signal, &call.info, &context);
    else
        call.action.sa_handler(call.signal);
}

void call_on_stack(char* top, void (*function)(void*), void* argument) {
    auto* stack = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %[stack], %%rsp\n\tcall *%[function]\n\tmovq %%rbx, %%rsp"
                     : "+D"(argument), [stack] "+r"(stack), [function] "+r"(function)
                     :
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15");
}

Taken run_handler(Receiver& me, const siginfo_t& info) {
    const int signal = info.si_signo;
    if (disposition(signal) == Disposition::by_default && is_fatal(signal)) end_process(signal);
    if (disposition(signal) != Disposition::handled) return Taken::nothing;
    Call call = {signal, info, actions[signal]};
    const std::uint64_t blocked = me.blocked;
    const int error = errno;
    const bool skipped_checks = me.skips_checks;
    void* const site = call_site;
    if (me.handlers == 0) me.blocked_before_handlers = blocked;
    me.blocked |= bits_of(call.action.sa_mask);
    if ((call.action.sa_flags & SA_NODEFER) == 0) me.blocked |= bit_of(signal);
    if ((call.action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) actions[signal].sa_handler = SIG_DFL;
    me.skips_checks = false;
    ++me.handlers;
    const bool moves = (call.action.sa_flags & SA_ONSTACK) != 0 && me.stack.ss_sp != nullptr && !is_on(me.stack);
    if (moves)
        call_on_stack(static_cast<char*>(me.stack.ss_sp) + me.stack.ss_size, call_handler, &call);
    else
        call_handler(&call);
    me.skips_checks = skipped_checks;
    if (me.handlers > 0) --me.handlers;
    me.blocked = blocked & ~unblockable;
    errno = error;
    call_site = site;
    return (call.action.sa_flags & SA_RESTART) != 0 ? Taken::restarts : Taken::interrupts;
}

}  // namespace

void act_without_checks(const Action& action) {
    if (phase != Phase::scheduled) return;
    Receiver& me = mine();
    const bool skipped_checks = me.skips_checks;
    me.skips_checks = true;
    act(action);
    me.skips_checks = skipped_checks;
}

// Comes before or after every change of a handler, and every other action on the queue of this thread.
void order_with_handlers(const Thread& thread) { act_without_checks(check_of(queue_of(thread), dispositions)); }

void change_handlers() { act_without_checks(futex::check(dispositions)); }

bool is_fatal(int signal) {
    return disposition(signal) == Disposition::by_default && signal != SIGCHLD && signal != SIGCONT &&
           signal != SIGURG && signal != SIGWINCH;
}

Receiver& receiver(const Thread& thread) { return receivers[thread.arena]; }
Receiver& mine() { return receivers[scheduler::current().arena]; }

struct sigaction& action_of(int signal) {
    if ((known_actions & bit_of(signal)) == 0) {
        known_actions |= bit_of(signal);
        struct sigaction kernels = {};
        live_registers::keep();
        real::sigaction(signal, nullptr, &kernels);
        // A handler that the program did not set is the shim's own.
        actions[signal] = {};
        if (kernels.sa_handler == SIG_IGN) actions[signal].sa_handler = SIG_IGN;
    }
    return actions[signal];
}

Disposition disposition(int signal) {
    const struct sigaction& action = action_of(signal);
    if (action.sa_handler == SIG_DFL) return Disposition::by_default;
    return action.sa_handler == SIG_IGN ? Disposition::ignored : Disposition::handled;
}

bool has_no_effect(int signal) {
    return disposition(signal) == Disposition::ignored ||
           (disposition(signal) == Disposition::by_default && !is_fatal(signal));
}

bool is_on(const stack_t& stack) {
    const char here = 0;
    const auto at = reinterpret_cast<std::uintptr_t>(&here), start = reinterpret_cast<std::uintptr_t>(stack.ss_sp);
    return stack.ss_sp != nullptr && at - start < stack.ss_size;
}

bool enqueue(std::uint32_t arena, const siginfo_t& info) {
    if (memory::armed()) scheduler::shared()->result.memory_signals = 1;
    if (arena != scheduler::current().arena) announce_to_descriptors(info.si_signo);
    if (info.si_signo < SIGRTMIN && find(arena, bit_of(info.si_signo)) != nullptr)
        return true;  // a standard signal is pending at most once
    for (Queued& one : queued) {
        if (one.used) continue;
        one = {true, arena, ++arrivals, info};
        return true;
    }
    if (recorded())
        scheduler::end_with(channel::End::uncontrolled,
                            "the program has more pending signals at once than raddle can keep (512)");
    return false;
}

bool dequeue(std::uint64_t set, siginfo_t& info) {
    const std::uint32_t arena = scheduler::current().arena;
    Queued* found = find(arena, set);  // signals for the thread come before those for the process
    if (found == nullptr && find(process_wide, set) != nullptr) {
        // Orders this against threads that take from the process, and against those that send to this thread.
        act_without_checks(check_of(process_queue, queue_of(scheduler::current())));
        found = find(arena, set);
        if (found == nullptr) found = find(process_wide, set);
    }
    if (found == nullptr) return false;
    info = found->info;
    found->used = false;
    return true;
}

void start_over() {
    for (Queued& one : queued) one.used = false;
    forget_external();
}

bool is_pending(std::uint32_t arena, std::uint64_t set) {
    return find(arena, set) != nullptr || find(process_wide, set) != nullptr;
}

std::uint64_t pending(std::uint64_t set) {
    std::uint64_t found = 0;
    for (const Queued& one : queued)
        if (one.used && (one.arena == scheduler::current().arena || one.arena == process_wide))
            found |= bit_of(one.info.si_signo);
    return found & set;
}

// The caller's last action used the queue of this thread. Every further look at the queue comes after such an action,
// too: otherwise nothing would say whether a signal that another thread sends now is seen. A signal that comes while a
// handler runs is taken at the thread's next check.
Taken deliver_pending(LastAction last) {
    Receiver& me = mine();
    Taken taken = Taken::nothing;
    siginfo_t info;
    while (pending(~me.blocked) != 0) {
        if (last != LastAction::ordered_with_handlers) order_with_handlers(scheduler::current());
        last = LastAction::used_queue;
        if (!dequeue(~me.blocked, info)) continue;
        const bool are_more = pending(~me.blocked) != 0;
        const Taken one = run_handler(me, info);
        if (one > taken) taken = one;
        if (!are_more) break;
        order_with_handlers(scheduler::current());
        last = LastAction::ordered_with_handlers;
    }
    return taken;
}

// Orders the check against threads that send it signals.
void check_queue(const Thread& thread, bool may_be_cancelled) {
    if (phase != Phase::scheduled) return;
    const Action check = check_of(queue_of(thread), process_queue);
    act(may_be_cancelled ? point(check) : check);
}

// Two wakes of a queue without waiters would commute, so this is a check: it excludes all other actions on the queue.
void claim_process_queue() { act_without_checks(check_of(process_queue, dispositions)); }

void wake_sleeper(Thread& thread) { wake_queue(queue_of(thread)); }

Taken run_pending_handlers() {
    Receiver& me = mine();
    if (me.skips_checks) return Taken::nothing;
    me.skips_checks = true;
    take_external();
    check_queue(scheduler::current(), false);
    me.skips_checks = false;
    return deliver_pending();
}

// The last check comes before or after every signal for the process, which goes to another thread from then on.
void take_last_signals() {
    if (!armed || phase != Phase::scheduled) return;
    while (run_pending_handlers() != Taken::nothing) continue;
    mine().has_left = true;
    mine().skips_checks = true;
}

void inherit(Thread& child, const sigset_t* mask) {
    Receiver& it = receivers[child.arena];
    const std::uint64_t blocked = mask != nullptr ? bits_of(*mask) & ~unblockable : mine().blocked;
    it = {};
    it.blocked = blocked;
    if (arrivals == 0) return;
    for (Queued& one : queued)
        if (one.used && one.arena == child.arena) one.used = false;  // belongs to an earlier thread of this arena
}

void mask_to_kernel(std::uint64_t* before) { raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &mine().blocked, before, 8L); }
void mask_from_kernel(std::uint64_t before) { raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, 8L); }

void read_start_mask() {
    const std::uint64_t none = 0;
    raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &none, &receivers[0].blocked, 8L);
}

bool somebody_missed_one() {
    for (const Queued& one : queued) {
        if (!one.used || disposition(one.info.si_signo) != Disposition::handled) continue;
        for (std::uint32_t arena = 0; arena < thread_table::count; ++arena) {
            const Thread& thread = thread_table::at(arena);
            if (!thread.known || thread.ended || (one.arena != process_wide && one.arena != arena)) continue;
            if ((receivers[arena].blocked & bit_of(one.info.si_signo)) == 0) return true;
        }
    }
    return false;
}

bool listens_to_children() { return armed && disposition(SIGCHLD) == Disposition::handled; }

bool has_children() {
    siginfo_t info;
    return !raw::failed(raw::call(SYS_waitid, P_ALL, 0L, &info, WEXITED | WNOHANG | WNOWAIT, nullptr));
}

// ---- calls that a signal ends

namespace {

// Whether the thread has an unblocked signal with a handler.
bool lets_in_handled() {
    const std::uint64_t open = known_actions & ~mine().blocked;
    for (int signal = 1; signal < signal_count; ++signal)
        if ((open & bit_of(signal)) != 0 && disposition(signal) == Disposition::handled) return true;
    return false;
}

}  // namespace

// Runs before the call changes the mask. A signal that is already pending is delivered before the call and does not
// end it.
void begin_wait(std::uint64_t awaited) {
    if ((awaited & ~mine().blocked) != 0 || lets_in_handled()) run_pending_handlers();
    mine().skips_checks = true;
}
void end_wait() { mine().skips_checks = false; }

Taken check_for_signals() {
    check_queue(scheduler::current(), true);
    return deliver_pending();
}

ActionOutcome sleep_in_queue(std::uint64_t deadline, bool timed) {
    refuse_in_queue();
    Action action = futex::wait_in(queue_of(scheduler::current()));
    if (timed) {
        action.flags |= flag::timed | flag::absolute;
        action.set_timeout(deadline);
    }
    return act(point(action));
}

bool sleep_until(std::uint64_t deadline) {
    begin_wait();
    bool interrupted = check_for_signals() != Taken::nothing;
    while (!interrupted && sleep_in_queue(deadline, true).effect != Effect::timed_out)
        interrupted = check_for_signals() != Taken::nothing;
    end_wait();
    return !interrupted;
}

}  // namespace raddle::signals
