// Barriers. A wait is two actions, arriving and leaving; the last thread to arrive leaves at once, as the serial
// thread. limit: the number of threads it takes; count: how many arrived in this round. Each waiter has its own mark
// (released), so the first thread to leave may destroy or initialise the barrier before the others have left.
// A thread that a signal can interrupt awaits the others instead (barrier_await): its handlers run while it stands at
// the barrier (waits_on), and then it awaits them again.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

bool has_waiters(const ModelStep& step) {
    const ObjectRecord* barrier = live_object(step.machine, step.before.object, Kind::barrier);
    return barrier != nullptr && barrier->count > 0;
}

bool stands_at(const ThreadRecord& thread, ObjectSlot barrier) {
    if (thread.waits_on == barrier) return true;
    return thread.life == Life::announced && thread.pending.operation == Operation::barrier_leave &&
           thread.object == barrier;
}

// A thread stands in one queue at most: one whose handler interrupted another wait cannot be interrupted here.
void wait_for_others(const ModelStep& step) {
    constexpr Flags by_signals = flag::interruptible | flag::cancellable | flag::uncancellable;
    MachineState& machine = step.machine;
    const bool can_be_interrupted =
        (step.before.pending.flags & flag::interruptible) != 0 && step.before.waits_on == no_slot;
    Action leave = step.before.pending;
    leave.operation = can_be_interrupted ? Operation::barrier_await : Operation::barrier_leave;
    leave.flags =
        can_be_interrupted ? by_signals : Flags{0};  // one that has arrived neither times out nor is cancelled
    machine.follow_up(step.thread, leave, step.outcome);
    ThreadRecord& record = machine.change(step.thread);
    record.released = false;
    if (can_be_interrupted) record.waits_on = step.before.object;
}

}  // namespace

void operations::barrier_init(const ModelStep& step) {
    const std::int64_t count = step.before.pending.initial_count();
    if (count <= 0) {
        report(step.outcome, Misuse::barrier_bad_count);
        return fail_with(step.outcome, error::invalid);
    }
    initialise(step, Kind::barrier, has_waiters(step));
    step.machine.change_object(step.before.object).limit = static_cast<std::uint32_t>(count);
}

void operations::barrier_destroy(const ModelStep& step) {
    destroy(step, Kind::barrier, has_waiters(step) ? Misuse::destroy_waited : Misuse::none);
}

void operations::barrier_wait(const ModelStep& step) {
    MachineState& machine = step.machine;
    ObjectRecord& barrier = step.object(Kind::barrier);
    if (barrier.limit == 0) {
        report(step.outcome, Misuse::use_uninitialised);
        return fail_with(step.outcome, error::invalid);
    }
    if (++barrier.count < barrier.limit) return wait_for_others(step);
    barrier.count = 0;
    step.outcome.result = error::barrier_serial;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& other = machine.thread(slot);
        if (stands_at(other, step.before.object) && !other.released) machine.release(step.thread, slot);
    }
}

// It is not the last to arrive; and neither would be a thread that arrived after it.
Guard guards::barrier_wait(const MachineState& machine, ThreadSlot thread) {
    const ObjectRecord* barrier = live_object(machine, machine.thread(thread).object, Kind::barrier);
    if (barrier == nullptr || barrier->state != ObjectState::live || barrier->count + 1 >= barrier->limit)
        return Guard::fails;
    return barrier->count + 2 < barrier->limit ? Guard::holds : Guard::holds_for_one;
}

std::uint32_t ways::barrier_leave(const MachineState& machine, ThreadSlot thread) {
    return machine.thread(thread).released ? 1 : 0;
}
void operations::barrier_leave(const ModelStep& step) { step.machine.change(step.thread).released = false; }

std::uint32_t ways::barrier_await(const MachineState& machine, ThreadSlot thread) {
    return machine.thread(thread).released ? 1 : 0;
}
void operations::barrier_await(const ModelStep& step) {
    ThreadRecord& record = step.machine.change(step.thread);
    record.released = false;
    record.waits_on = no_slot;
}

}  // namespace raddle
