// Barriers: arriving and leaving are two actions; the last to arrive leaves at once, as the serial thread.
// limit: how many it takes; count: how many came this round. Who waits is let go by a mark of its own (signalled), so
// that whoever leaves first may destroy the barrier, or initialise it again, before the others have left.
#include "supervisor/model/kinds.h"

namespace raddle::barriers {

namespace {

void arrive(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    ObjectRecord& barrier = machine.use_object(thread, before.object, Kind::barrier, outcome);
    if (barrier.limit == 0) {
        report(outcome, Misuse::use_uninitialised);
        return fail_with(outcome, error::invalid);
    }
    if (++barrier.count < barrier.limit) {
        Action leave = before.pending;
        leave.operation = Operation::barrier_leave;
        leave.flags = 0;  // who has arrived neither lapses nor is cancelled
        machine.follow_up(thread, leave, outcome);
        machine.change(thread).signalled = false;
        return;
    }
    barrier.count = 0;
    outcome.result = error::barrier_serial;
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        const ThreadRecord& other = machine.thread(slot);
        if (other.life != Life::announced || other.pending.operation != Operation::barrier_leave ||
            other.object != before.object || other.signalled)
            continue;
        machine.change(slot).signalled = true;
        machine.enable(thread, slot);
    }
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    return record.pending.operation != Operation::barrier_leave || record.signalled ? 1 : 0;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    const ObjectRecord* barrier = live_object(machine, before.object, Kind::barrier);
    const bool waited = barrier != nullptr && barrier->count > 0;
    switch (before.pending.operation) {
        case Operation::barrier_init:
            if (before.pending.argument <= 0) {
                report(outcome, Misuse::barrier_bad_count);
                return fail_with(outcome, error::invalid);
            }
            initialise(machine, before.object, Kind::barrier, before.pending, waited, outcome);
            machine.change_object(before.object).limit = static_cast<std::uint32_t>(before.pending.argument);
            return;
        case Operation::barrier_destroy:
            return destroy(machine, thread, before.object, Kind::barrier,
                           waited ? Misuse::destroy_waited : Misuse::none, outcome);
        case Operation::barrier_wait: return arrive(machine, thread, before, outcome);
        case Operation::barrier_leave: machine.change(thread).signalled = false; return;
        default: return;
    }
}

}  // namespace raddle::barriers
