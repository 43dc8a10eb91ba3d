// Threads: create, start, exit, join, detach, cancel. The fields of a thread as an object:
// flag: it ended; count: 1 joined, 2 detached; value: what it returned.
#include "supervisor/model/interruption.h"
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

enum : std::uint32_t { joinable = 0, joined = 1, detached = thread_detached };

void join(const ModelStep& step) {
    const bool is_itself =
        step.before.object == step.before.self && step.before.pending.operation == Operation::thread_join;
    const ObjectRecord& target = step.object(Kind::thread);
    if (is_itself) {
        report(step.outcome, Misuse::join_self);
        return fail_with(step.outcome, error::deadlock);
    }
    if (target.count != joinable) {
        report(step.outcome, target.count == joined ? Misuse::join_twice : Misuse::join_detached);
        return fail_with(step.outcome, error::invalid);
    }
    if (!target.flag) return fail_with(step.outcome, error::busy);  // only a tryjoin comes here
    step.machine.change_object(step.before.object).count = joined;
}

}  // namespace

void operations::thread_create(const ModelStep& step) {
    MachineState& machine = step.machine;
    const ThreadSlot child = machine.slot_of(thread_of(step.before.pending.object));
    ++machine.change(step.thread).children;
    machine.make_live(step.before.object, Kind::thread, 0);
    ObjectRecord& object = machine.change_object(step.before.object);
    object.owner = child;
    if (step.before.pending.detached() == thread_detached) object.count = detached;
    Action start;
    start.operation = Operation::thread_start;
    start.site = step.before.pending.site;
    machine.set_pending(child, start);
    machine.enable(step.thread, child);
}

void operations::thread_start(const ModelStep&) {}

// The robust mutexes that the thread still holds come first, one by one.
void announcing::thread_exit(MachineState& machine, ThreadSlot thread, Action& action) {
    if (machine.thread(thread).robust_held == 0) return;
    const ObjectSlot newest = mutexes::newest_robust_held(machine, thread);
    if (newest == no_slot) return;
    action.operation = Operation::owner_died;
    action.object = machine.object(newest).id;
    action.flags = 0;
}

void operations::thread_exit(const ModelStep& step) {
    ObjectRecord& self = step.machine.use_object(step.thread, step.before.self, Kind::thread, step.outcome);
    self.flag = true;
    self.value = step.before.pending.thread_result();
    step.machine.change(step.thread).life = Life::ended;
    step.outcome.ends_thread = true;
}

// A join that is refused does not wait.
std::uint32_t ways::thread_join(const MachineState& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    const ObjectRecord* target = live_object(machine, record.object, Kind::thread);
    if (target == nullptr) return 0;
    return target->flag || target->count != joinable || record.object == record.self ? 1 : 0;
}
void operations::thread_join(const ModelStep& step) { join(step); }
void operations::thread_tryjoin(const ModelStep& step) { join(step); }

void operations::thread_kill(const ModelStep& step) {
    if (step.object(Kind::thread).flag) fail_with(step.outcome, error::no_such_thread);
}

void operations::thread_detach(const ModelStep& step) {
    ObjectRecord& target = step.object(Kind::thread);
    if (target.count != joinable) {
        report(step.outcome, Misuse::detach_twice);
        return fail_with(step.outcome, error::invalid);
    }
    target.count = detached;
}

void operations::thread_cancel(const ModelStep& step) {
    if (is_signal(step.before.pending)) {
        ++step.object(Kind::thread).count;
        return;
    }
    const ObjectRecord* target = live_object(step.machine, step.before.second, Kind::thread);
    if (target != nullptr && (target->count == joined || (target->count == detached && target->flag))) {
        report(step.outcome, Misuse::cancel_ended);
        return fail_with(step.outcome, error::no_such_thread);
    }
    step.object(Kind::thread).flag = true;
}

void operations::thread_testcancel(const ModelStep& step) {
    step.outcome.cancels = step.machine.object(step.before.cancel_mark).flag && !step.before.cancelled;
}

}  // namespace raddle
