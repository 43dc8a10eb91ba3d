// Mutexes of every type. owner; count: how often the owner holds it; flag: its owner died, and nobody made it
// consistent; value 1: it is not recoverable any more. A thread notes each robust mutex that it holds in its own
// hold_of the mutex (flag; bound: the mutex; tickets: the number of the thread's event), because the robust list
// belongs to the thread.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

MutexType type_of(std::uint8_t attributes) { return static_cast<MutexType>(attributes & attribute::mutex::type_mask); }
bool is_robust(std::uint8_t attributes) { return (attributes & attribute::mutex::robust) != 0; }

bool is_owned(const ModelStep& step) {
    const ObjectRecord* mutex = live_object(step.machine, step.before.object, Kind::mutex);
    return mutex != nullptr && mutex->owner != no_slot;
}

// The result that a lock by this thread would return at once, or -1 if it has to wait.
std::int64_t lock_result(const MachineState& machine, ThreadSlot thread, ObjectSlot slot, bool is_try) {
    const ObjectRecord* mutex = live_object(machine, slot, Kind::mutex);
    if (mutex == nullptr) return error::none;
    if (mutex->value != 0) return error::not_recoverable;
    if (mutex->owner == no_slot) return mutex->flag ? error::owner_dead : error::none;
    if (mutex->owner != thread) return is_try ? error::busy : -1;
    switch (type_of(mutex->attributes)) {
        case MutexType::recursive: return error::none;
        case MutexType::errorcheck: return is_try && !is_robust(mutex->attributes) ? error::busy : error::deadlock;
        case MutexType::normal: return is_try ? error::busy : -1;
    }
    return -1;
}

void lock(const ModelStep& step, bool is_try) {
    const std::int64_t result = lock_result(step.machine, step.thread, step.before.object, is_try);
    if (result == error::none || result == error::owner_dead) {
        step.outcome.result = mutexes::take(step.machine, step.thread, step.before.object, step.outcome);
    } else {
        step.object(Kind::mutex);
        fail_with(step.outcome, result);
    }
}

void note_robust(MachineState& machine, ThreadSlot thread, ObjectSlot slot, bool held) {
    const ObjectSlot hold = machine.object_slot(hold_of(machine, thread, machine.object(slot).id));
    ObjectRecord& record = machine.change_object(hold);
    if (record.flag != held) machine.change(thread).robust_held += held ? 1u : ~0u;
    record.flag = held;
    record.bound = slot;
    record.tickets = machine.thread(thread).events;
}

}  // namespace

bool mutexes::checks_owner(std::uint8_t attributes) {
    return type_of(attributes) != MutexType::normal || is_robust(attributes);
}

bool mutexes::is_free(const MachineState& machine, ThreadSlot thread, ObjectSlot slot) {
    const ObjectRecord* mutex = live_object(machine, slot, Kind::mutex);
    return mutex == nullptr || mutex->owner == no_slot || mutex->owner == thread;
}

std::int64_t mutexes::take(MachineState& machine, ThreadSlot thread, ObjectSlot slot, ActionOutcome& outcome) {
    ObjectRecord& mutex = machine.use_object(thread, slot, Kind::mutex, outcome);
    if (mutex.value != 0) return error::not_recoverable;
    const bool is_first = mutex.owner != thread;
    mutex.count = is_first ? 1 : mutex.count + 1;
    mutex.owner = thread;
    const std::int64_t result = mutex.flag ? error::owner_dead : error::none;
    if (is_first && is_robust(mutex.attributes)) note_robust(machine, thread, slot, true);
    return result;
}

void mutexes::give_back(MachineState& machine, ThreadSlot thread, ObjectSlot slot) {
    ObjectRecord& mutex = machine.change_object(slot);
    if (mutex.count > 1) {
        --mutex.count;
        return;
    }
    mutex.owner = no_slot;
    mutex.count = 0;
    if (!is_robust(mutex.attributes)) return;
    if (mutex.flag) mutex.value = 1;
    note_robust(machine, thread, slot, false);
}

// The robust mutex that the thread took last and still holds; no_slot if there is none. The kernel walks the list in
// this order when the thread ends.
ObjectSlot mutexes::newest_robust_held(const MachineState& machine, ThreadSlot thread) {
    const ObjectRecord* newest = nullptr;
    for (ObjectSlot slot = 0; slot < machine.object_count(); ++slot) {
        const ObjectRecord& hold = machine.object(slot);
        if (hold.id.space() != Space::hold || hold.id.owner() != machine.thread(thread).id.code) continue;
        if (hold.bound == no_slot || !hold.flag) continue;  // the hold of a reader-writer lock has no bound
        if (newest == nullptr || hold.tickets > newest->tickets) newest = &hold;
    }
    return newest != nullptr ? newest->bound : no_slot;
}

void operations::owner_died(const ModelStep& step) {
    const ObjectRecord* held = live_object(step.machine, step.before.object, Kind::mutex);
    if (held != nullptr && held->owner == step.thread) {
        ObjectRecord& mutex = step.machine.change_object(step.before.object);
        mutex.flag = true;
        mutex.owner = no_slot;
        mutex.count = 0;
    }
    note_robust(step.machine, step.thread, step.before.object, false);
    Action exit = step.before.pending;
    exit.operation = Operation::thread_exit;
    exit.object = {};
    announcing::thread_exit(step.machine, step.thread, exit);
    step.machine.follow_up(step.thread, exit, step.outcome);
}

void operations::mutex_init(const ModelStep& step) { initialise(step, Kind::mutex, is_owned(step)); }

void operations::mutex_destroy(const ModelStep& step) {
    const bool held = is_owned(step);
    if (held && !is_robust(step.machine.object(step.before.object).attributes)) {
        report(step.outcome, Misuse::destroy_locked);
        return fail_with(step.outcome, error::busy);
    }
    destroy(step, Kind::mutex, held ? Misuse::destroy_locked : Misuse::none);
}

std::uint32_t ways::mutex_lock(const MachineState& machine, ThreadSlot thread) {
    return lock_result(machine, thread, machine.thread(thread).object, false) >= 0 ? 1 : 0;
}
void operations::mutex_lock(const ModelStep& step) { lock(step, false); }
void operations::mutex_trylock(const ModelStep& step) { lock(step, true); }

void operations::mutex_unlock(const ModelStep& step) {
    const ObjectRecord& mutex = step.object(Kind::mutex);
    if (mutex.owner == step.thread) return mutexes::give_back(step.machine, step.thread, step.before.object);
    if (mutexes::checks_owner(mutex.attributes)) return fail_with(step.outcome, error::not_permitted);
    report(step.outcome, mutex.owner == no_slot ? Misuse::unlock_unlocked : Misuse::unlock_not_owner);
    ObjectRecord& freed = step.machine.change_object(step.before.object);  // as glibc does
    freed.owner = no_slot;
    freed.count = 0;
}

std::uint32_t ways::mutex_relock(const MachineState& machine, ThreadSlot thread) {
    return mutexes::is_free(machine, thread, machine.thread(thread).object) ? 1 : 0;
}
void operations::mutex_relock(const ModelStep& step) {
    const std::int64_t result = mutexes::take(step.machine, step.thread, step.before.object, step.outcome);
    const std::int64_t of_wait = step.before.pending.wait_result();
    step.outcome.result = result != error::none ? result : of_wait;
    step.outcome.cancels = of_wait == error::cancelled;
}

void operations::mutex_consistent(const ModelStep& step) {
    ObjectRecord& mutex = step.object(Kind::mutex);
    if (mutex.flag && mutex.owner == step.thread) {
        mutex.flag = false;
        return;
    }
    report(step.outcome, Misuse::consistent_unneeded);
    fail_with(step.outcome, error::invalid);
}

}  // namespace raddle
