// Condition variables. A wait is three actions: wait (joins the queue, releases the mutex), wake (leaves with the
// mutex, once signalled and the mutex free) or, if time runs out or the thread is cancelled, leaving the queue and
// then a relock of the mutex; so another thread can act between the time-out and the lock, as it can in reality.
// waiters: the length of the queue; tickets: given out in it; bound: the mutex its waiters came with.
#include "supervisor/model/kinds.h"

namespace raddle::conditions {

namespace {

// The thread with the value-th oldest ticket in the queue.
ThreadSlot waiter(const Machine& machine, ObjectSlot condition, std::uint32_t value) {
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        if (machine.thread(slot).waits_on != condition) continue;
        std::uint32_t older = 0;
        for (ThreadSlot other = 0; other < machine.thread_count(); ++other)
            if (machine.thread(other).waits_on == condition && machine.thread(other).ticket < machine.thread(slot).ticket)
                ++older;
        if (older == value) return slot;
    }
    return no_slot;
}

void wake_up(Machine& machine, ThreadSlot by, ObjectSlot condition, ThreadSlot woken) {
    ThreadRecord& thread = machine.change(woken);
    thread.waits_on = no_slot;
    thread.signalled = true;
    ObjectRecord& record = machine.change_object(condition);
    if (record.waiters > 0) --record.waiters;
    machine.enable(by, woken);
}

void leave_queue(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::int64_t result, ActionOutcome& outcome) {
    machine.change(thread).waits_on = no_slot;
    ObjectRecord& condition = machine.change_object(before.object);
    if (condition.waiters > 0) --condition.waiters;
    Action relock = before.pending;
    relock.operation = Operation::mutex_relock;
    relock.flags = 0;
    relock.object = before.pending.second;
    relock.second = {};
    relock.argument = result;
    machine.follow_up(thread, relock, outcome);
}

void wait(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t value, ActionOutcome& outcome) {
    machine.use_object(thread, before.object, Kind::condition, outcome);
    const ObjectRecord* mutex = live_object(machine, before.second, Kind::mutex);
    const bool held = mutex != nullptr && mutex->owner == thread;
    if (held)
        mutexes::give_back(machine, thread, before.second);
    else if (mutexes::refuses_strangers(mutex != nullptr ? mutex->attributes : before.pending.attributes))
        return fail_with(outcome, error::not_permitted);
    else
        report(outcome, Misuse::wait_unheld_mutex);

    // Nobody stands in two queues: a thread that was interrupted in one and went elsewhere has left it.
    if (before.waits_on != no_slot) {
        ObjectRecord& left = machine.change_object(before.waits_on);
        if (left.waiters > 0) --left.waiters;
    }
    ObjectRecord& condition = machine.change_object(before.object);
    if (condition.waiters > 0 && condition.bound != before.second) report(outcome, Misuse::wait_other_mutex);
    const bool spurious = value > 0;
    const std::uint32_t ticket = ++condition.tickets;
    condition.bound = before.second;
    if (!spurious) ++condition.waiters;

    Action wake = before.pending;
    wake.operation = Operation::cond_wake;
    machine.follow_up(thread, wake, outcome);
    ThreadRecord& record = machine.change(thread);
    record.ticket = ticket;
    record.waits_on = spurious ? no_slot : before.object;
    record.signalled = spurious;
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    switch (record.pending.operation) {
        case Operation::cond_wait: return machine.options().spurious_wakeups ? 2 : 1;
        case Operation::cond_wake: return record.signalled && mutexes::is_free(machine, thread, record.second) ? 1 : 0;
        case Operation::cond_signal: {
            const ObjectRecord* condition = live_object(machine, record.object, Kind::condition);
            return condition == nullptr || condition->waiters < 2 ? 1 : condition->waiters;
        }
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t value, ActionOutcome& outcome) {
    const ObjectRecord* known = live_object(machine, before.object, Kind::condition);
    const std::uint32_t waiters = known != nullptr ? known->waiters : 0;
    switch (before.pending.operation) {
        case Operation::cond_init:
            return initialise(machine, before.object, Kind::condition, before.pending, waiters > 0, outcome);
        case Operation::cond_destroy:
            return destroy(machine, thread, before.object, Kind::condition,
                           waiters > 0 ? Misuse::destroy_waited : Misuse::none, outcome);
        case Operation::cond_wait: return wait(machine, thread, before, value, outcome);
        case Operation::cond_wake: {
            machine.change(thread).signalled = false;
            outcome.result = mutexes::take(machine, thread, before.second, outcome);
            return;
        }
        case Operation::cond_signal:
            machine.use_object(thread, before.object, Kind::condition, outcome);
            if (waiters == 0) return fail_with(outcome, error::none);
            if (const ThreadSlot woken = waiter(machine, before.object, value); woken != no_slot)
                return wake_up(machine, thread, before.object, woken);
            return fail_with(outcome, error::none);
        case Operation::cond_broadcast:
            machine.use_object(thread, before.object, Kind::condition, outcome);
            if (waiters == 0) return fail_with(outcome, error::none);
            for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
                if (machine.thread(slot).waits_on == before.object) wake_up(machine, thread, before.object, slot);
            return;
        default: return;
    }
}

void time_out(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    leave_queue(machine, thread, before, error::timed_out, outcome);
}

void cancel(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    leave_queue(machine, thread, before, error::cancelled, outcome);
}

}  // namespace raddle::conditions
