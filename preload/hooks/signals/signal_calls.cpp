// Sending, blocking and waiting for signals.
#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/signals/signals.h"
#include "preload/hooks/sync/futex.h"
#include "preload/hooks/threads/identity.h"
#include "preload/intercept/real.h"

namespace raddle {

using namespace signals;
using scheduler::current;

namespace {

siginfo_t information(int signal, int code, union sigval value = {}) {
    siginfo_t info;
    std::memset(&info, 0, sizeof info);
    info.si_signo = signal;
    info.si_code = code;
    info.si_pid = hooks::getpid();
    info.si_uid = static_cast<uid_t>(raw::call(SYS_getuid));
    info.si_value = value;
    return info;
}

enum class SentTo { thread, process };

// A thread that ended gets no signal. Its end and this question come in one of two orders.
bool has_ended(const Thread& thread) {
    Action question = on_thread(Operation::thread_kill, thread);
    return phase == Phase::scheduled && act(question).effect == Effect::failed;
}

// The caller's last action orders this with the receiver's checks of its queue, and with changes of handlers.
int send_in_order(Thread& thread, const siginfo_t& info, SentTo to) {
    const bool is_blocked = (receiver(thread).blocked & bit_of(info.si_signo)) != 0;
    if (has_no_effect(info.si_signo) && !is_blocked) return 0;
    const bool is_other = &thread != &current();
    if (is_other && is_fatal(info.si_signo) && !is_blocked) {
        if (to == SentTo::thread && has_ended(thread)) return 0;
        end_process(info.si_signo);
    }
    if (is_other && disposition(info.si_signo) == Disposition::handled) need_checks();
    // The thread that was chosen for the process could end before a further action, and the signal would be lost.
    if (is_other && to == SentTo::thread) wake_sleeper(thread);
    // The thread may have ended. Nothing orders its end against this call, so the call goes on as if it had not.
    if (!enqueue(thread.arena, info)) return EAGAIN;
    if (is_other && to == SentTo::process) wake_sleeper(thread);
    if (!is_other)
        deliver_pending(to == SentTo::thread ? LastAction::ordered_with_handlers : LastAction::used_queue);
    else if (armed)
        interrupt_wait(thread);
    return 0;
}

int send_to(Thread& thread, const siginfo_t& info) {
    order_with_handlers(thread);
    return send_in_order(thread, info, SentTo::thread);
}

// Until its end a thread takes signals, in destructors and exit handlers, too.
bool accepts(const Thread& thread, int signal) {
    return thread.known && !thread.ended && !receiver(thread).has_left &&
           (receiver(thread).blocked & bit_of(signal)) == 0;
}

// Chooses the receiver as Linux does: a thread in sigwait, else main, else the caller, else the first thread that
// does not block the signal. Without a receiver the signal stays pending for the process.
int send_to_process(const siginfo_t& info) {
    const int signal = info.si_signo;
    claim_process_queue();
    for (std::uint32_t arena = 0; arena < thread_table::count; ++arena) {
        Thread& thread = thread_table::at(arena);
        if (!thread.known || thread.ended || (receiver(thread).awaited & bit_of(signal)) == 0) continue;
        receiver(thread).awaited = 0;  // this signal ends its wait
        return send_in_order(thread, info, SentTo::process);
    }
    // A fatal signal ends the process, whoever gets it. The choice must not depend on the end of main, which nothing
    // orders against this call.
    Thread& main = thread_table::main();
    const bool ends_process = is_fatal(signal) && (receiver(main).blocked & bit_of(signal)) == 0;
    if (ends_process || accepts(main, signal)) return send_in_order(main, info, SentTo::process);
    if (accepts(current(), signal)) return send_in_order(current(), info, SentTo::process);
    for (std::uint32_t arena = 0; arena < thread_table::count; ++arena)
        if (accepts(thread_table::at(arena), signal))
            return send_in_order(thread_table::at(arena), info, SentTo::process);
    return enqueue(process_wide, info) ? 0 : EAGAIN;
}

bool is_own_process(pid_t process) { return process == hooks::getpid(); }

// Waits for a signal of the set or the end of the time. Returns its number, or a negative error number.
int wait_for_one(std::uint64_t set, siginfo_t& info, bool timed, std::uint64_t nanoseconds) {
    Receiver& me = mine();
    const std::uint64_t deadline = scheduler::virtual_time() + nanoseconds;
    int result = 0;
    begin_wait(set);
    while (result == 0) {
        check_queue(current(), true);
        if (pending(set) != 0) {
            if (dequeue(set, info)) result = info.si_signo;
            continue;  // another thread may have taken it
        }
        if (deliver_pending() != Taken::nothing)
            result = -EINTR;
        else if (timed && nanoseconds == 0)
            result = -EAGAIN;
        if (result != 0) break;
        me.awaited = set;
        if (signals::wait_for_signal(set, deadline, timed).effect == Effect::timed_out && !dequeue(set, info))
            result = -EAGAIN;
        if (info.si_signo != 0) result = info.si_signo;
        me.awaited = 0;
    }
    me.awaited = 0;
    end_wait();
    return result;
}

std::uint64_t changed_mask(int how, std::uint64_t blocked, std::uint64_t set) {
    switch (how) {
        case SIG_BLOCK: return (blocked | set) & ~unblockable;
        case SIG_UNBLOCK: return blocked & ~set;
        default: return set & ~unblockable;
    }
}

// A change is ordered with the threads that send signals: they look at the mask. Signals that came before run first.
int change_mask(int how, const sigset_t* set, sigset_t* old) {
    Receiver& me = mine();
    const std::uint64_t before = me.blocked;
    if (set != nullptr) {
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
        const std::uint64_t bits = bits_of(*set);
        if (changed_mask(how, before, bits) != before && !me.skips_checks) run_pending_handlers();
        me.blocked = changed_mask(how, me.blocked, bits);
    }
    if (old != nullptr) put(old, before);
    if ((before & ~me.blocked) != 0) deliver_pending();
    return 0;
}

}  // namespace

void signals::send_by_timer(const siginfo_t& info, pid_t id) {
    Thread* thread = id != 0 ? thread_with_id(id) : nullptr;
    if (thread != nullptr)
        send_to(*thread, info);
    else if (id == 0)
        send_to_process(info);
}

namespace hooks {

int sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
    if (!is_signal(signal) || (action != nullptr && (bit_of(signal) & unblockable) != 0))
        return as_errno::refused(EINVAL);
    const struct sigaction before = action_of(signal);
    if (action != nullptr) {
        change_handlers();
        action_of(signal) = *action;
        catch_external(signal, *action);
    }
    if (old != nullptr) *old = before;
    return 0;
}

SignalHandler signal(int signal, SignalHandler handler) {
    struct sigaction action = {}, old = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return hooks::sigaction(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

int raise(int signal) {
    if (signal == 0) return 0;
    if (!is_signal(signal)) return as_errno::refused(EINVAL);
    send_to(current(), information(signal, SI_TKILL));
    return 0;
}

int pthread_kill(pthread_t handle, int signal) {
    Thread* thread = thread_table::find(handle);
    if (thread == nullptr) return ESRCH;
    if (signal == 0) return 0;
    return is_signal(signal) ? send_to(*thread, information(signal, SI_TKILL)) : EINVAL;
}

int pthread_sigqueue(pthread_t handle, int signal, const union sigval value) {
    Thread* thread = thread_table::find(handle);
    if (thread == nullptr) return ESRCH;
    if (signal == 0) return 0;
    return is_signal(signal) ? send_to(*thread, information(signal, SI_QUEUE, value)) : EINVAL;
}

int tgkill(pid_t process, pid_t tid, int signal) {
    if (!is_own_process(process)) return real::tgkill(kernel_id_of(process), tid, signal);
    Thread* thread = thread_with_id(tid);
    if (thread == nullptr) return as_errno::refused(ESRCH);
    if (signal == 0) return 0;
    if (!is_signal(signal)) return as_errno::refused(EINVAL);
    const int error = send_to(*thread, information(signal, SI_TKILL));
    return error == 0 ? 0 : as_errno::refused(error);
}

int kill(pid_t process, int signal) {
    if (!is_own_process(process)) return real::kill(kernel_id_of(process), signal);
    if (signal == 0) return 0;
    if (!is_signal(signal)) return as_errno::refused(EINVAL);
    if (signal == SIGKILL) end_process(signal);
    if (signal == SIGSTOP) return real::kill(kernel_id_of(process), signal);
    const int error = send_to_process(information(signal, SI_USER));
    return error == 0 ? 0 : as_errno::refused(error);
}

int sigqueue(pid_t process, int signal, const union sigval value) {
    if (!is_own_process(process)) return real::sigqueue(kernel_id_of(process), signal, value);
    if (signal == 0) return 0;
    if (!is_signal(signal)) return as_errno::refused(EINVAL);
    const int error = send_to_process(information(signal, SI_QUEUE, value));
    return error == 0 ? 0 : as_errno::refused(error);
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) { return change_mask(how, set, old); }

int sigprocmask(int how, const sigset_t* set, sigset_t* old) {
    const int error = change_mask(how, set, old);
    return error == 0 ? 0 : as_errno::refused(error);
}

// The old BSD mask: one int for the first 32 signals.
int sigsetmask(int mask) {
    sigset_t set, old;
    put(&set, static_cast<unsigned>(mask));
    change_mask(SIG_SETMASK, &set, &old);
    return static_cast<int>(bits_of(old));
}

namespace {
int change_one(int how, int signal) {
    if (!is_signal(signal)) return as_errno::refused(EINVAL);
    sigset_t set;
    put(&set, bit_of(signal));
    const int error = change_mask(how, &set, nullptr);
    return error == 0 ? 0 : as_errno::refused(error);
}
}  // namespace

int sighold(int signal) { return change_one(SIG_BLOCK, signal); }
int sigrelse(int signal) { return change_one(SIG_UNBLOCK, signal); }

int sigpending(sigset_t* set) {
    if (!mine().skips_checks) run_pending_handlers();
    put(set, pending(mine().blocked));
    return 0;
}

int sigwait(const sigset_t* set, int* signal) {
    for (;;) {
        siginfo_t info = {};
        const int result = wait_for_one(bits_of(*set), info, false, 0);
        if (result < 0) continue;  // sigwait is not interrupted by handlers
        *signal = result;
        return 0;
    }
}

int sigwaitinfo(const sigset_t* set, siginfo_t* information) { return hooks::sigtimedwait(set, information, nullptr); }

int sigtimedwait(const sigset_t* set, siginfo_t* information, const timespec* time) {
    if (time != nullptr && (!valid(time) || time->tv_sec < 0)) return as_errno::refused(EINVAL);
    siginfo_t info = {};
    const int result = wait_for_one(bits_of(*set), info, time != nullptr, time != nullptr ? nanoseconds_of(time) : 0);
    if (result < 0) return as_errno::refused(-result);
    if (information != nullptr) *information = info;
    return result;
}

int sigsuspend(const sigset_t* set) {
    Receiver& me = mine();
    begin_wait();
    const std::uint64_t before = me.blocked;
    me.blocked = bits_of(*set) & ~unblockable;
    while (check_for_signals() == Taken::nothing) signals::wait_for_signal(~me.blocked, 0, false);
    end_wait();
    me.blocked = before;
    return as_errno::refused(EINTR);
}

int pause() {
    sigset_t set;
    put(&set, mine().blocked);
    return hooks::sigsuspend(&set);
}

int sigaltstack(const stack_t* stack, stack_t* old) {
    stack_t& mine_now = mine().stack;
    const bool on_it = is_on(mine_now);
    if (stack != nullptr && on_it) return as_errno::refused(EPERM);
    if (stack != nullptr && (stack->ss_flags & ~SS_DISABLE) != 0 && stack->ss_flags != SS_ONSTACK)
        return as_errno::refused(EINVAL);
    if (stack != nullptr && (stack->ss_flags & SS_DISABLE) == 0 && stack->ss_size < 2048)
        return as_errno::refused(ENOMEM);
    const stack_t before = mine_now;
    if (stack != nullptr) mine_now = (stack->ss_flags & SS_DISABLE) != 0 ? stack_t{} : *stack;
    if (old != nullptr) {
        *old = before;
        old->ss_flags = before.ss_sp == nullptr ? SS_DISABLE : on_it ? SS_ONSTACK : 0;
    }
    return 0;
}

void siglongjmp(__jmp_buf_tag* buffer, int value) {
    Receiver& me = mine();
    refuse_in_queue();
    // The jump leaves all handlers. If the buffer has a saved mask, the mask from before the outermost handler
    // comes back.
    if (buffer->__mask_was_saved != 0 && me.handlers > 0) me.blocked = me.blocked_before_handlers;
    me.handlers = 0;
    real::siglongjmp(buffer, value);
}

}  // namespace hooks

}  // namespace raddle
