// Signals interrupt waits of any kind (supervisor/model/interruption.h). The thread leaves the wait and runs its
// handlers. Then the call ends with EINTR where Linux ends it, and otherwise waits again.
#include "supervisor/model/interruption.h"

#include "preload/hooks/files/external.h"
#include "preload/hooks/signals/signals.h"
#include "preload/schedule/live_registers.h"

namespace raddle::signals {

namespace {

using scheduler::current;

// A wait of poll, select or epoll_wait.
bool waits_for_any(const Action& action) {
    return action.operation == Operation::descriptor_wait && action.object.space() == Space::descriptors;
}

// A signal can interrupt it.
bool may_wait(const Action& action) {
    if ((action.flags & flag::nonblocking) != 0 || traits(action.operation).on_signal == OnSignal::not_left)
        return false;
    if (waits_for_any(action)) return action.version() >= 0;
    return action.operation != Operation::futex_wait || action.object.space() != Space::tool;
}

// Whether the call ends with EINTR after the handlers. poll, select and epoll_wait do so even if the handler has
// SA_RESTART.
bool ends_call(const Action& action, Taken taken) {
    if (taken == Taken::nothing) return false;
    switch (traits(action.operation).on_signal) {
        case OnSignal::not_left:
        case OnSignal::resumes: return false;
        case OnSignal::restarts: return taken == Taken::interrupts || waits_for_any(action);
        case OnSignal::restarts_if_untimed: return taken == Taken::interrupts || (action.flags & flag::timed) != 0;
    }
    return false;
}

Action interruptible(Action action) {
    if ((action.flags & flag::cancellable) == 0) action.flags |= flag::uncancellable;
    action.flags |= flag::interruptible | flag::cancellable;
    return action;
}

Action resumed(const ThreadRecord& me) {
    Action action = me.pending;
    if ((action.flags & flag::timed) == 0) return action;
    action.flags |= flag::absolute;
    action.set_timeout(me.deadline);
    return action;
}

// The thread has compared the futex's word. The wait must follow at once, as in the kernel: a check of its signals in
// between would let another thread change the word and wake nobody. A signal that is pending interrupts the wait.
bool is_compared(const Action& action) {
    return action.operation == Operation::futex_wait && action.object.space() != Space::tool;
}

// A thread can stand in one queue of the machine only, and at one barrier.
bool leaves_its_queue(const Receiver& me, Operation operation) {
    if (operation == Operation::barrier_wait) return me.handlers_at_barrier != 0;
    return operation == Operation::cond_wait || operation == Operation::futex_wait ||
           operation == Operation::thread_exit;
}

// Runs the handlers, and restores the state of the interrupted wait, which they may overwrite.
Taken run_handlers(const Action& left) {
    Receiver& me = mine();
    const bool at_barrier = left.operation == Operation::barrier_await;
    const bool in_queue = at_barrier || left.operation == Operation::cond_wake;
    const external::Wait wait = external::wait_of(current());
    me.handlers_in_queue += in_queue ? 1 : 0;
    me.handlers_at_barrier += at_barrier ? 1 : 0;
    const Taken taken = run_pending_handlers();
    me.handlers_in_queue -= in_queue ? 1 : 0;
    me.handlers_at_barrier -= at_barrier ? 1 : 0;
    me.taken = taken;
    external::wait_of(current()) = wait;
    return taken;
}

}  // namespace

void refuse_in_queue() {
    if (mine().handlers_in_queue != 0 && phase == Phase::scheduled)
        scheduler::end_with(
            channel::End::uncontrolled,
            "a signal handler interrupted a wait for a condition or at a barrier, and then waited itself or did not "
            "return");
}

ActionOutcome act_interruptibly(const Action& action) {
    live_registers::keep();
    Receiver& me = mine();
    if (me.handlers_in_queue != 0 && leaves_its_queue(me, action.operation)) refuse_in_queue();
    ActionOutcome interrupted;
    interrupted.effect = Effect::cancelled;
    interrupted.result = EINTR;
    Taken taken = is_compared(action) ? Taken::nothing : run_pending_handlers();
    if (me.opened_mask && waits_for_any(action) && taken != Taken::nothing) return interrupted;
    if (me.skips_checks || phase != Phase::scheduled || !may_wait(action)) return scheduler::perform(action);
    Action wanted = interruptible(action);
    for (;;) {
        const ActionOutcome outcome = scheduler::perform(wanted);
        if (!was_interrupted(outcome)) return outcome;
        const ThreadRecord& record = scheduler::machine().thread(current().slot);
        wanted = resumed(record);
        taken = run_handlers(wanted);
        if (outcome.result == error::interrupted && ends_call(wanted, taken)) return interrupted;
        // The futex's word must be compared again, unless the call ends. With a time limit Linux never restarts it.
        if (wanted.operation == Operation::futex_wait) {
            const bool ends = taken == Taken::interrupts || (taken == Taken::restarts && (wanted.flags & flag::timed));
            interrupted.result = ends ? EINTR : ERESTART;
            return interrupted;
        }
    }
}

void interrupt_wait(Thread& thread) {
    Action action = on_thread(Operation::thread_cancel, thread);
    action.attributes = attribute::cancel::signal;
    act_without_checks(action);
}

}  // namespace raddle::signals
