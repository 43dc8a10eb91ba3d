// Condition variables. A wait is three actions. cond_wait joins the queue and releases the mutex. cond_wake leaves with
// the mutex: the thread must be signalled, and the mutex free. A thread that times out or is cancelled leaves the
// queue, and then a mutex_relock takes the mutex, so another thread can act between the time-out and the lock, as in
// reality. A signalled thread with a request for cancellation may act on it, too (value 1 of cond_wake), in whichever
// order the two came: the kernel decides. But the signal is not lost then: if another thread waited when it was given,
// that thread is the signalled one in another execution, and this one returns normally. waiters: the length of the
// queue; tickets: given out in it; bound: the mutex of its waiters.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

// The thread with the value-th oldest ticket in the queue.
ThreadSlot waiter(const MachineState& machine, ObjectSlot condition, std::uint32_t value) {
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        if (machine.thread(slot).waits_on != condition) continue;
        std::uint32_t older = 0;
        for (ThreadSlot other = 0; other < machine.thread_count(); ++other)
            if (machine.thread(other).waits_on == condition &&
                machine.thread(other).ticket < machine.thread(slot).ticket)
                ++older;
        if (older == value) return slot;
    }
    return no_slot;
}

std::uint32_t waiters_of(const MachineState& machine, ObjectSlot condition) {
    const ObjectRecord* known = live_object(machine, condition, Kind::condition);
    return known != nullptr ? known->waiters : 0;
}

void wake_up(MachineState& machine, ThreadSlot by, ObjectSlot condition, ThreadSlot woken) {
    ThreadRecord& thread = machine.change(woken);
    thread.waits_on = no_slot;
    thread.signalled = true;
    ObjectRecord& record = machine.change_object(condition);
    thread.ticket = record.tickets;  // the last one given out before this signal
    if (record.waiters > 0) --record.waiters;
    machine.enable(by, woken);
}

bool is_cancelled(const MachineState& machine, const ThreadRecord& thread) {
    return (thread.pending.flags & (flag::cancellable | flag::uncancellable)) == flag::cancellable &&
           !thread.cancelled && machine.object(thread.cancel_mark).flag;
}

// A thread that could have been signalled instead.
bool another_waits_since_signal(const MachineState& machine, const ThreadRecord& signalled) {
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& other = machine.thread(slot);
        if (other.waits_on == signalled.object && other.ticket <= signalled.ticket) return true;
    }
    return false;
}

}  // namespace

void operations::cond_init(const ModelStep& step) {
    initialise(step, Kind::condition, waiters_of(step.machine, step.before.object) > 0);
}

void operations::cond_destroy(const ModelStep& step) {
    const bool is_waited_on = waiters_of(step.machine, step.before.object) > 0;
    destroy(step, Kind::condition, is_waited_on ? Misuse::destroy_waited : Misuse::none);
}

std::uint32_t ways::cond_wait(const MachineState& machine, ThreadSlot) {
    return machine.options().spurious_wakeups ? 2 : 1;
}

void operations::cond_wait(const ModelStep& step) {
    MachineState& machine = step.machine;
    const ThreadRecord& before = step.before;
    step.object(Kind::condition);
    const ObjectRecord* mutex = live_object(machine, before.second, Kind::mutex);
    const bool held = mutex != nullptr && mutex->owner == step.thread;
    if (held)
        mutexes::give_back(machine, step.thread, before.second);
    else if (mutexes::checks_owner(mutex != nullptr ? mutex->attributes : before.pending.attributes))
        return fail_with(step.outcome, error::not_permitted);
    else
        report(step.outcome, Misuse::wait_unheld_mutex);

    // A thread stands in one queue at most: one that was interrupted in another queue leaves it here.
    if (before.waits_on != no_slot) {
        ObjectRecord& left = machine.change_object(before.waits_on);
        if (left.waiters > 0) --left.waiters;
    }
    ObjectRecord& condition = machine.change_object(before.object);
    if (condition.waiters > 0 && condition.bound != before.second) report(step.outcome, Misuse::wait_other_mutex);
    const bool is_spurious = step.value > 0;
    const std::uint32_t ticket = ++condition.tickets;
    condition.bound = before.second;
    if (!is_spurious) ++condition.waiters;

    Action wake = before.pending;
    wake.operation = Operation::cond_wake;
    machine.follow_up(step.thread, wake, step.outcome);
    ThreadRecord& record = machine.change(step.thread);
    record.ticket = ticket;
    record.waits_on = is_spurious ? no_slot : before.object;
    record.signalled = is_spurious;
}

std::uint32_t ways::cond_wake(const MachineState& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    if (!record.signalled || !mutexes::is_free(machine, thread, record.second)) return 0;
    return is_cancelled(machine, record) && !another_waits_since_signal(machine, record) ? 2 : 1;
}

void operations::cond_wake(const ModelStep& step) {
    step.machine.change(step.thread).signalled = false;
    step.outcome.result = mutexes::take(step.machine, step.thread, step.before.second, step.outcome);
    if (step.value == 0) return;
    step.outcome.result = error::cancelled;
    step.outcome.cancels = true;
}

void leaving::cond_wake(const ModelStep& step, Leaving why) {
    if (why == Leaving::interrupted) return;  // it stays in the queue
    step.machine.change(step.thread).waits_on = no_slot;
    ObjectRecord& condition = step.machine.change_object(step.before.object);
    if (condition.waiters > 0) --condition.waiters;
    step.outcome.cancels = false;  // not before it has the mutex again
    Action relock = step.before.pending;
    relock.operation = Operation::mutex_relock;
    relock.flags = 0;
    relock.object = step.before.pending.second;
    relock.second = {};
    relock.set_wait_result(why == Leaving::cancelled ? error::cancelled : error::timed_out);
    step.machine.follow_up(step.thread, relock, step.outcome);
}

std::uint32_t ways::cond_signal(const MachineState& machine, ThreadSlot thread) {
    const std::uint32_t waiters = waiters_of(machine, machine.thread(thread).object);
    return waiters < 2 ? 1 : waiters;
}

void operations::cond_signal(const ModelStep& step) {
    const bool is_waited_on = waiters_of(step.machine, step.before.object) > 0;
    step.object(Kind::condition);
    const ThreadSlot woken = is_waited_on ? waiter(step.machine, step.before.object, step.value) : no_slot;
    if (woken == no_slot) return fail_with(step.outcome, error::none);
    wake_up(step.machine, step.thread, step.before.object, woken);
}

void operations::cond_broadcast(const ModelStep& step) {
    const bool is_waited_on = waiters_of(step.machine, step.before.object) > 0;
    step.object(Kind::condition);
    if (!is_waited_on) return fail_with(step.outcome, error::none);
    for (ThreadSlot slot = 0; slot < step.machine.thread_count(); ++slot)
        if (step.machine.thread(slot).waits_on == step.before.object)
            wake_up(step.machine, step.thread, step.before.object, slot);
}

}  // namespace raddle
