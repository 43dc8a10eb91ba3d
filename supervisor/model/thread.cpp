// Threads: create, start, exit, join, detach, cancel. As an object a thread is joined and detached:
// flag: it ended; count: 1 joined, 2 detached; value: what it returned.
#include "supervisor/model/interruption.h"
#include "supervisor/model/kinds.h"

namespace raddle::threads {

namespace {
enum : std::uint32_t { joinable = 0, joined = 1, detached = create_detached };

bool cannot_be_joined(const Machine& machine, ThreadSlot thread) {
    const ObjectRecord* target = live_object(machine, machine.thread(thread).object, Kind::thread);
    return target != nullptr && (target->count != joinable || machine.thread(thread).object == machine.thread(thread).self);
}

bool has_ended(const Machine& machine, ThreadSlot thread) {
    const ObjectRecord* target = live_object(machine, machine.thread(thread).object, Kind::thread);
    return target != nullptr && target->flag;
}

void join(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const bool itself = before.object == before.self && before.pending.operation == Operation::thread_join;
    const ObjectRecord& target = machine.use_object(thread, before.object, Kind::thread, outcome);
    if (itself) {
        report(outcome, Misuse::join_self);
        return fail_with(outcome, error::deadlock);
    }
    if (target.count != joinable) {
        report(outcome, target.count == joined ? Misuse::join_twice : Misuse::join_detached);
        return fail_with(outcome, error::invalid);
    }
    if (!target.flag) return fail_with(outcome, error::busy);  // only tryjoin gets here
    machine.change_object(before.object).count = joined;
}

void create(Machine& machine, ThreadSlot thread, const ThreadRecord& before) {
    const ThreadSlot child = machine.slot_of(thread_of(before.pending.object));
    ++machine.change(thread).children;
    machine.make_live(before.object, Kind::thread, 0);
    ObjectRecord& object = machine.change_object(before.object);
    object.owner = child;
    if (before.pending.argument == detached) object.count = detached;
    Action start;
    start.operation = Operation::thread_start;
    start.site = before.pending.site;
    machine.announce(child, start);
    machine.enable(thread, child);
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    if (machine.thread(thread).pending.operation != Operation::thread_join) return 1;
    return has_ended(machine, thread) || cannot_be_joined(machine, thread) ? 1 : 0;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    switch (before.pending.operation) {
        case Operation::thread_create: return create(machine, thread, before);
        case Operation::thread_exit: {
            ObjectRecord& self = machine.use_object(thread, before.self, Kind::thread, outcome);
            self.flag = true;
            self.value = before.pending.argument;
            machine.change(thread).life = Life::ended;
            outcome.ends_thread = true;
            return;
        }
        case Operation::thread_join:
        case Operation::thread_tryjoin: return join(machine, thread, before, outcome);
        case Operation::thread_detach: {
            ObjectRecord& target = machine.use_object(thread, before.object, Kind::thread, outcome);
            if (target.count != joinable) {
                report(outcome, Misuse::detach_twice);
                return fail_with(outcome, error::invalid);
            }
            target.count = detached;
            return;
        }
        case Operation::thread_cancel: {
            if (is_signal(before.pending)) {
                ++machine.use_object(thread, before.object, Kind::thread, outcome).count;
                return;
            }
            const ObjectRecord* target = live_object(machine, before.second, Kind::thread);
            if (target != nullptr && (target->count == joined || (target->count == detached && target->flag))) {
                report(outcome, Misuse::cancel_ended);
                return fail_with(outcome, error::no_such_thread);
            }
            machine.use_object(thread, before.object, Kind::thread, outcome).flag = true;
            return;
        }
        case Operation::thread_testcancel:
            outcome.cancels = machine.object(before.cancel_mark).flag && !before.cancelled;
            return;
        default: return;
    }
}

}  // namespace raddle::threads
