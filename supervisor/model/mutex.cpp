// Mutexes of every type. owner; count: how often it is held; flag: its owner died and nobody made it consistent;
// value 1: it cannot be recovered any more.
#include "supervisor/model/kinds.h"

namespace raddle::mutexes {

namespace {

MutexType type_of(std::uint8_t attributes) { return static_cast<MutexType>(attributes & attribute::mutex_type_mask); }
bool is_robust(std::uint8_t attributes) { return (attributes & attribute::robust) != 0; }

// What a lock by this thread would return at once, or -1 if it has to wait.
std::int64_t lock_result(const Machine& machine, ThreadSlot thread, ObjectSlot slot, bool only_try) {
    const ObjectRecord* mutex = live(machine, slot, Kind::mutex);
    if (mutex == nullptr) return error::none;
    if (mutex->value != 0) return error::not_recoverable;
    if (mutex->owner == no_slot) return mutex->flag ? error::owner_dead : error::none;
    if (mutex->owner != thread) return only_try ? error::busy : -1;
    switch (type_of(mutex->attributes)) {
        case MutexType::recursive: return error::none;
        case MutexType::errorcheck: return only_try ? error::busy : error::deadlock;
        case MutexType::normal: return only_try ? error::busy : -1;
    }
    return -1;
}

void lock(Machine& machine, ThreadSlot thread, const ThreadRecord& before, bool only_try, Outcome& outcome) {
    const std::int64_t result = lock_result(machine, thread, before.object, only_try);
    if (result == error::none || result == error::owner_dead) {
        outcome.result = take(machine, thread, before.object, before.pending.attributes, 1, outcome);
    } else {
        machine.use(thread, before.object, Kind::mutex, outcome);
        refuse(outcome, result);
    }
}

void unlock(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome) {
    const ObjectRecord& mutex = machine.use(thread, before.object, Kind::mutex, outcome);
    if (mutex.owner == thread) {
        if (mutex.count > 1)
            --machine.change_object(before.object).count;
        else
            give_back(machine, thread, before.object);
        return;
    }
    if (type_of(mutex.attributes) != MutexType::normal || is_robust(mutex.attributes))
        return refuse(outcome, error::not_permitted);
    report(outcome, mutex.owner == no_slot ? Misuse::unlock_unlocked : Misuse::unlock_not_owner);
    ObjectRecord& freed = machine.change_object(before.object);  // as glibc does
    freed.owner = no_slot;
    freed.count = 0;
}

void owner_died(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome) {
    ObjectRecord& mutex = machine.use(thread, before.object, Kind::mutex, outcome);
    mutex.value = mutex.flag ? 1 : 0;  // it was inconsistent already
    mutex.flag = true;
    mutex.owner = no_slot;
    mutex.count = 0;
    --machine.change(thread).robust_held;
    Action exit = before.pending;
    exit.operation = Operation::thread_exit;
    exit.object = {};
    machine.announce(thread, exit);
    outcome.continues = true;
}

}  // namespace

bool is_free(const Machine& machine, ObjectSlot slot) {
    const ObjectRecord* mutex = live(machine, slot, Kind::mutex);
    return mutex == nullptr || mutex->owner == no_slot;
}

std::int64_t take(Machine& machine, ThreadSlot thread, ObjectSlot slot, std::uint8_t attributes, std::uint32_t depth,
                  Outcome& outcome) {
    const ObjectRecord* known = live(machine, slot, Kind::mutex);
    if (known == nullptr) {
        if (machine.object(slot).state == ObjectState::destroyed) report(outcome, Misuse::use_after_destroy);
        machine.begin(slot, Kind::mutex, attributes);
    }
    ObjectRecord& mutex = machine.change_object(slot);
    if (mutex.value != 0) return error::not_recoverable;
    if (mutex.owner == no_slot && is_robust(mutex.attributes)) ++machine.change(thread).robust_held;
    mutex.count = mutex.owner == thread ? mutex.count + depth : depth;
    mutex.owner = thread;
    return mutex.flag ? error::owner_dead : error::none;
}

void give_back(Machine& machine, ThreadSlot thread, ObjectSlot slot) {
    ObjectRecord& mutex = machine.change_object(slot);
    mutex.owner = no_slot;
    mutex.count = 0;
    if (!is_robust(mutex.attributes)) return;
    --machine.change(thread).robust_held;
    if (mutex.flag) mutex.value = 1;
}

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    switch (record.pending.operation) {
        case Operation::mutex_lock: return lock_result(machine, thread, record.object, false) >= 0 ? 1 : 0;
        case Operation::mutex_relock: return is_free(machine, record.object) ? 1 : 0;
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, Outcome& outcome) {
    const ObjectRecord* mutex = live(machine, before.object, Kind::mutex);
    const bool held = mutex != nullptr && mutex->owner != no_slot;
    switch (before.pending.operation) {
        case Operation::mutex_init:
            return initialise(machine, before.object, Kind::mutex, before.pending, held, outcome);
        case Operation::mutex_destroy:
            return destroy(machine, thread, before.object, Kind::mutex, held ? Misuse::destroy_locked : Misuse::none,
                           outcome);
        case Operation::mutex_lock: return lock(machine, thread, before, false, outcome);
        case Operation::mutex_trylock: return lock(machine, thread, before, true, outcome);
        case Operation::mutex_unlock: return unlock(machine, thread, before, outcome);
        case Operation::mutex_relock: {
            const std::int64_t result =
                take(machine, thread, before.object, before.pending.attributes, before.depth, outcome);
            outcome.result = result != error::none ? result : before.pending.argument;
            outcome.cancels = before.pending.argument == error::cancelled;
            return;
        }
        case Operation::mutex_consistent: {
            ObjectRecord& record = machine.use(thread, before.object, Kind::mutex, outcome);
            if (record.flag && record.owner == thread) {
                record.flag = false;
                return;
            }
            report(outcome, Misuse::consistent_unneeded);
            outcome.result = error::invalid;
            return;
        }
        case Operation::owner_died: return owner_died(machine, thread, before, outcome);
        default: return;
    }
}

void lapse(Machine&, ThreadSlot, const ThreadRecord&, Outcome&) {}

}  // namespace raddle::mutexes
