// Mutexes of every type. owner; count: how often it is held; flag: its owner died and nobody made it consistent;
// value 1: it cannot be recovered any more. A robust one that a thread took is noted in its hold_of the mutex (flag;
// bound: the mutex; tickets: at which of the thread's events), as what dies with a thread is its own affair.
#include "supervisor/model/kinds.h"

namespace raddle::mutexes {

namespace {

MutexType type_of(std::uint8_t attributes) { return static_cast<MutexType>(attributes & attribute::mutex_type_mask); }
bool is_robust(std::uint8_t attributes) { return (attributes & attribute::robust) != 0; }

// What a lock by this thread would return at once, or -1 if it has to wait.
std::int64_t lock_result(const Machine& machine, ThreadSlot thread, ObjectSlot slot, bool only_try) {
    const ObjectRecord* mutex = live_object(machine, slot, Kind::mutex);
    if (mutex == nullptr) return error::none;
    if (mutex->value != 0) return error::not_recoverable;
    if (mutex->owner == no_slot) return mutex->flag ? error::owner_dead : error::none;
    if (mutex->owner != thread) return only_try ? error::busy : -1;
    switch (type_of(mutex->attributes)) {
        case MutexType::recursive: return error::none;
        case MutexType::errorcheck: return only_try && !is_robust(mutex->attributes) ? error::busy : error::deadlock;
        case MutexType::normal: return only_try ? error::busy : -1;
    }
    return -1;
}

void lock(Machine& machine, ThreadSlot thread, const ThreadRecord& before, bool only_try, ActionOutcome& outcome) {
    const std::int64_t result = lock_result(machine, thread, before.object, only_try);
    if (result == error::none || result == error::owner_dead) {
        outcome.result = take(machine, thread, before.object, outcome);
    } else {
        machine.use_object(thread, before.object, Kind::mutex, outcome);
        fail_with(outcome, result);
    }
}

void unlock(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const ObjectRecord& mutex = machine.use_object(thread, before.object, Kind::mutex, outcome);
    if (mutex.owner == thread) return give_back(machine, thread, before.object);
    if (refuses_strangers(mutex.attributes)) return fail_with(outcome, error::not_permitted);
    report(outcome, mutex.owner == no_slot ? Misuse::unlock_unlocked : Misuse::unlock_not_owner);
    ObjectRecord& freed = machine.change_object(before.object);  // as glibc does
    freed.owner = no_slot;
    freed.count = 0;
}

void note_robust(Machine& machine, ThreadSlot thread, ObjectSlot slot, bool held) {
    const ObjectSlot hold = machine.object_slot(hold_of(machine, thread, machine.object(slot).id));
    ObjectRecord& record = machine.change_object(hold);
    if (record.flag != held) machine.change(thread).robust_held += held ? 1u : ~0u;
    record.flag = held;
    record.bound = slot;
    record.tickets = machine.thread(thread).events;
}

void owner_died(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const ObjectRecord* held = live_object(machine, before.object, Kind::mutex);
    if (held != nullptr && held->owner == thread) {
        ObjectRecord& mutex = machine.change_object(before.object);
        mutex.flag = true;
        mutex.owner = no_slot;
        mutex.count = 0;
    }
    note_robust(machine, thread, before.object, false);
    Action exit = before.pending;
    exit.operation = Operation::thread_exit;
    exit.object = {};
    machine.announce(thread, exit);
    outcome.continues = true;
}

}  // namespace

bool refuses_strangers(std::uint8_t attributes) {
    return type_of(attributes) != MutexType::normal || is_robust(attributes);
}

bool is_free(const Machine& machine, ThreadSlot thread, ObjectSlot slot) {
    const ObjectRecord* mutex = live_object(machine, slot, Kind::mutex);
    return mutex == nullptr || mutex->owner == no_slot || mutex->owner == thread;
}

std::int64_t take(Machine& machine, ThreadSlot thread, ObjectSlot slot, ActionOutcome& outcome) {
    ObjectRecord& mutex = machine.use_object(thread, slot, Kind::mutex, outcome);
    if (mutex.value != 0) return error::not_recoverable;
    const bool anew = mutex.owner != thread;
    mutex.count = anew ? 1 : mutex.count + 1;
    mutex.owner = thread;
    const std::int64_t result = mutex.flag ? error::owner_dead : error::none;
    if (anew && is_robust(mutex.attributes)) note_robust(machine, thread, slot, true);
    return result;
}

ObjectSlot newest_robust_held(const Machine& machine, ThreadSlot thread) {
    const ObjectRecord* newest = nullptr;  // the kernel walks the list from the mutex taken last
    for (ObjectSlot slot = 0; slot < machine.object_count(); ++slot) {
        const ObjectRecord& hold = machine.object(slot);
        if (hold.id.space() != Space::hold || hold.id.owner() != machine.thread(thread).id.code) continue;
        if (hold.bound == no_slot || !hold.flag) continue;  // a reader-writer lock's has no bound
        if (newest == nullptr || hold.tickets > newest->tickets) newest = &hold;
    }
    return newest != nullptr ? newest->bound : no_slot;
}

void give_back(Machine& machine, ThreadSlot thread, ObjectSlot slot) {
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

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    switch (record.pending.operation) {
        case Operation::mutex_lock: return lock_result(machine, thread, record.object, false) >= 0 ? 1 : 0;
        case Operation::mutex_relock: return is_free(machine, thread, record.object) ? 1 : 0;
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    const ObjectRecord* mutex = live_object(machine, before.object, Kind::mutex);
    const bool held = mutex != nullptr && mutex->owner != no_slot;
    switch (before.pending.operation) {
        case Operation::mutex_init:
            return initialise(machine, before.object, Kind::mutex, before.pending, held, outcome);
        case Operation::mutex_destroy:
            if (held && !is_robust(mutex->attributes)) {
                report(outcome, Misuse::destroy_locked);
                return fail_with(outcome, error::busy);
            }
            return destroy(machine, thread, before.object, Kind::mutex, held ? Misuse::destroy_locked : Misuse::none,
                           outcome);
        case Operation::mutex_lock: return lock(machine, thread, before, false, outcome);
        case Operation::mutex_trylock: return lock(machine, thread, before, true, outcome);
        case Operation::mutex_unlock: return unlock(machine, thread, before, outcome);
        case Operation::mutex_relock: {
            const std::int64_t result = take(machine, thread, before.object, outcome);
            outcome.result = result != error::none ? result : before.pending.argument;
            outcome.cancels = before.pending.argument == error::cancelled;
            return;
        }
        case Operation::mutex_consistent: {
            ObjectRecord& record = machine.use_object(thread, before.object, Kind::mutex, outcome);
            if (record.flag && record.owner == thread) {
                record.flag = false;
                return;
            }
            report(outcome, Misuse::consistent_unneeded);
            return fail_with(outcome, error::invalid);
        }
        case Operation::owner_died: return owner_died(machine, thread, before, outcome);
        default: return;
    }
}

}  // namespace raddle::mutexes
