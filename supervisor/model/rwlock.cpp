// Reader-writer locks. owner: the writer; count: readers; waiters: writers that queued up, where they go first.
// How often a thread reads (count) and whether it writes (flag) is kept in its hold_of the lock, so that an unlock by a
// stranger is seen, and what an unlock is depends on the thread's own past only.
#include "supervisor/model/interruption.h"
#include "supervisor/model/kinds.h"

namespace raddle::rwlocks {

namespace {

ObjectSlot hold_slot(Machine& machine, ThreadSlot thread, ObjectSlot lock) {
    return machine.object_slot(hold_of(machine, thread, machine.object(lock).id));
}

bool writes_itself(const Machine& machine, ThreadSlot thread, ObjectSlot slot) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::rwlock);
    return lock != nullptr && lock->owner == thread;
}

bool can_read(const Machine& machine, ObjectSlot slot) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::rwlock);
    return lock == nullptr || (lock->owner == no_slot && lock->waiters == 0);
}

// A try does not go before writers that queued up.
bool can_write(const Machine& machine, ObjectSlot slot, bool only_try) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::rwlock);
    return lock == nullptr || (lock->owner == no_slot && lock->count == 0 && !(only_try && lock->waiters > 0));
}

void read(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const bool itself = writes_itself(machine, thread, before.object);
    const bool can = can_read(machine, before.object);
    const ObjectSlot hold = hold_slot(machine, thread, before.object);
    ObjectRecord& lock = machine.use_object(thread, before.object, Kind::rwlock, outcome);
    const bool only_try = before.pending.operation == Operation::rwlock_tryrdlock;
    if (itself && !only_try) report(outcome, Misuse::relock_held);
    if (!can) return fail_with(outcome, itself && !only_try ? error::deadlock : error::busy);
    ++lock.count;
    ++machine.change_object(hold).count;
}

void write(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const bool itself = writes_itself(machine, thread, before.object);
    const bool only_try = before.pending.operation == Operation::rwlock_trywrlock;
    const bool can = can_write(machine, before.object, only_try);
    const ObjectSlot hold = hold_slot(machine, thread, before.object);
    ObjectRecord& lock = machine.use_object(thread, before.object, Kind::rwlock, outcome);
    if (!only_try && lock.waiters > 0) --lock.waiters;
    if (itself && !only_try) report(outcome, Misuse::relock_held);
    if (!can) return fail_with(outcome, itself && !only_try ? error::deadlock : error::busy);
    lock.owner = thread;
    machine.change_object(hold).flag = true;
}

void unlock_read(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    const ObjectSlot hold = hold_slot(machine, thread, before.object);
    ObjectRecord& lock = machine.use_object(thread, before.object, Kind::rwlock, outcome);
    if (machine.object(hold).count == 0 || lock.count == 0) {
        report(outcome, lock.owner == no_slot && lock.count == 0 ? Misuse::unlock_unlocked : Misuse::unlock_not_owner);
        return;
    }
    --machine.change_object(hold).count;
    --machine.change_object(before.object).count;
}

void unlock_write(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    machine.change_object(hold_slot(machine, thread, before.object)).flag = false;
    if (!writes_itself(machine, thread, before.object)) return unlock_read(machine, thread, before, outcome);
    machine.change_object(before.object).owner = no_slot;
}

}  // namespace

bool believes_to_write(const Machine& machine, ThreadSlot thread, const ObjectId& lock) {
    const ObjectSlot hold = machine.find_object(hold_of(machine, thread, lock));
    return hold != no_slot && machine.object(hold).flag;
}

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    switch (record.pending.operation) {
        case Operation::rwlock_rdlock:
            return can_read(machine, record.object) || writes_itself(machine, thread, record.object) ? 1 : 0;
        case Operation::rwlock_wrlock:
            return can_write(machine, record.object, false) || writes_itself(machine, thread, record.object) ? 1 : 0;
        default: return 1;
    }
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    const ObjectRecord* lock = live_object(machine, before.object, Kind::rwlock);
    const bool held = lock != nullptr && (lock->owner != no_slot || lock->count > 0);
    const bool waited = lock != nullptr && lock->waiters > 0;
    switch (before.pending.operation) {
        case Operation::rwlock_init:
            return initialise(machine, before.object, Kind::rwlock, before.pending, held || waited, outcome);
        case Operation::rwlock_destroy:
            return destroy(machine, thread, before.object, Kind::rwlock,
                           held     ? Misuse::destroy_locked
                           : waited ? Misuse::destroy_waited
                                    : Misuse::none,
                           outcome);
        case Operation::rwlock_rdlock:
        case Operation::rwlock_tryrdlock: return read(machine, thread, before, outcome);
        case Operation::rwlock_wrlock:
        case Operation::rwlock_trywrlock: return write(machine, thread, before, outcome);
        case Operation::rwlock_rdunlock: return unlock_read(machine, thread, before, outcome);
        case Operation::rwlock_wrunlock: return unlock_write(machine, thread, before, outcome);
        case Operation::rwlock_request: {
            ++machine.use_object(thread, before.object, Kind::rwlock, outcome).waiters;
            Action lock_it = before.pending;
            lock_it.operation = Operation::rwlock_wrlock;
            // It stands in the queue, which a signal can take it out of, to come back.
            if ((lock_it.flags & flag::interruptible) != 0)
                lock_it.flags |= flag::uncancellable;
            else
                lock_it.flags &= static_cast<Flags>(~flag::cancellable);
            machine.follow_up(thread, lock_it, outcome);
            return;
        }
        default: return;
    }
}

void time_out(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome) {
    if (before.pending.operation != Operation::rwlock_wrlock) return;
    ObjectRecord& lock = machine.use_object(thread, before.object, Kind::rwlock, outcome);
    if (lock.waiters > 0) --lock.waiters;
}

}  // namespace raddle::rwlocks
