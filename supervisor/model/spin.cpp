// Spin locks: a thread that would spin is blocked until it could get the lock. owner.
#include "supervisor/model/kinds.h"

namespace raddle::spin_locks {

std::uint32_t regular(const Machine& machine, ThreadSlot thread) {
    const ThreadRecord& record = machine.thread(thread);
    if (record.pending.operation != Operation::spin_lock) return 1;
    const ObjectRecord* lock = live_object(machine, record.object, Kind::spin);
    return lock == nullptr || lock->owner == no_slot ? 1 : 0;
}

void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t, ActionOutcome& outcome) {
    const ObjectRecord* known = live_object(machine, before.object, Kind::spin);
    const bool held = known != nullptr && known->owner != no_slot;
    switch (before.pending.operation) {
        case Operation::spin_init:
            return initialise(machine, before.object, Kind::spin, before.pending, held, outcome);
        case Operation::spin_destroy:
            return destroy(machine, thread, before.object, Kind::spin, held ? Misuse::destroy_locked : Misuse::none,
                           outcome);
        case Operation::spin_unlock: {
            ObjectRecord& lock = machine.use_object(thread, before.object, Kind::spin, outcome);
            if (lock.owner != thread)
                report(outcome, held ? Misuse::unlock_not_owner : Misuse::unlock_unlocked);
            lock.owner = no_slot;
            return;
        }
        default: {
            ObjectRecord& lock = machine.use_object(thread, before.object, Kind::spin, outcome);
            if (held) return fail_with(outcome, error::busy);
            lock.owner = thread;
        }
    }
}

}  // namespace raddle::spin_locks
