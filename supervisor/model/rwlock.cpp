// Reader-writer locks. owner: the writer; count: readers; waiters: writers that queued up, where they go first.
// How often a thread reads is kept in an object of its own (Space::hold), so that an unlock by a stranger is seen.
#include "supervisor/model/kinds.h"

namespace raddle::rwlocks {

namespace {

ObjectId hold_of(const Machine& machine, ThreadSlot thread, ObjectSlot lock) {
    return object_in(Space::hold, machine.thread(thread).id.code, hash_of(machine.object(lock).id));
}

bool writes_itself(const Machine& machine, ThreadSlot thread, ObjectSlot slot) {
    const ObjectRecord* lock = live(machine, slot, Kind::rwlock);
    return lock != nullptr && lock->owner == thread;
}

bool can_read(const Machine& machine, ObjectSlot slot) {
    const ObjectRecord* lock = live(machine, slot, Kind::rwlock);
    return lock == nullptr || (lock->owner == no_slot && lock->waiters == 0);
}

bool can_write(const Machine& machine, ObjectSlot slot) {
    const ObjectRecord* lock = live(machine, slot, Kind::rwlock);
    return lock == nullptr || (lock->owner == no_slot && lock->count == 0);
}

void read(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome) {
    const bool itself = writes_itself(machine, thread, before.object);
    const bool can = can_read(machine, before.object);
    const ObjectSlot hold = machine.object_slot(hold_of(machine, thread, before.object));
    ObjectRecord& lock = machine.use(thread, before.object, Kind::rwlock, outcome);
    if (itself) report(outcome, Misuse::relock_held);
    const bool only_try = before.pending.operation == Operation::rwlock_tryrdlock;
    if (!can) return refuse(outcome, itself && !only_try ? error::deadlock : error::busy);
    ++lock.count;
    ++machine.change_object(hold).count;
}

void write(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome) {
    const bool itself = writes_itself(machine, thread, before.object);
    const bool can = can_write(machine, before.object);
    ObjectRecord& lock = machine.use(thread, before.object, Kind::rwlock, outcome);
    const bool only_try = before.pending.operation == Operation::rwlock_trywrlock;
    if (!only_try && lock.waiters > 0) --lock.waiters;
    if (itself) report(outcome, Misuse::relock_held);
    if (!can) return refuse(outcome, itself && !only_try ? error::deadlock : error::busy);
    lock.owner = thread;
}

void unlock_read(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome) {
    const ObjectSlot hold = machine.object_slot(hold_of(machine, thread, before.object));
    ObjectRecord& lock = machine.use(thread, before.object, Kind::rwlock, outcome);
    if (machine.object(hold).count == 0) {
        report(outcome, lock.owner == no_slot && lock.count == 0 ? Misuse::unlock_unlocked : Misuse::unlock_not_owner);
        return;
    }
    --machine.change_object(hold).count;
    --machine.change_object(before.object).count;
}

}  // namespace

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    switch (record.pending.operation) {
        case Operation::rwlock_rdlock:
            return can_read(machine, record.object) || writes_itself(machine, thread, record.object) ? 1 : 0;
        case Operation::rwlock_wrlock:
            return can_write(machine, record.object) || writes_itself(machine, thread, record.object) ? 1 : 0;
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, Outcome& outcome) {
    const ObjectRecord* lock = live(machine, before.object, Kind::rwlock);
    const bool held = lock != nullptr && (lock->owner != no_slot || lock->count > 0);
    switch (before.pending.operation) {
        case Operation::rwlock_init:
            return initialise(machine, before.object, Kind::rwlock, before.pending, held, outcome);
        case Operation::rwlock_destroy:
            return destroy(machine, thread, before.object, Kind::rwlock, held ? Misuse::destroy_locked : Misuse::none,
                           outcome);
        case Operation::rwlock_rdlock:
        case Operation::rwlock_tryrdlock: return read(machine, thread, before, outcome);
        case Operation::rwlock_wrlock:
        case Operation::rwlock_trywrlock: return write(machine, thread, before, outcome);
        case Operation::rwlock_rdunlock: return unlock_read(machine, thread, before, outcome);
        case Operation::rwlock_wrunlock: {
            machine.use(thread, before.object, Kind::rwlock, outcome).owner = no_slot;
            return;
        }
        case Operation::rwlock_request: {
            ++machine.use(thread, before.object, Kind::rwlock, outcome).waiters;
            Action lock_it = before.pending;
            lock_it.operation = Operation::rwlock_wrlock;
            machine.follow_up(thread, lock_it, outcome);
            return;
        }
        default: return;
    }
}

void lapse(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome) {
    if (before.pending.operation != Operation::rwlock_wrlock) return;
    ObjectRecord& lock = machine.use(thread, before.object, Kind::rwlock, outcome);
    if (lock.waiters > 0) --lock.waiters;
}

}  // namespace raddle::rwlocks
