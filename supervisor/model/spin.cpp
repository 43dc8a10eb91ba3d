// Spin locks: a thread that would spin is blocked until the lock is free. owner.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

bool is_taken(const MachineState& machine, ObjectSlot slot) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::spin);
    return lock != nullptr && lock->owner != no_slot;
}
bool is_taken(const ModelStep& step) { return is_taken(step.machine, step.before.object); }

void lock(const ModelStep& step) {
    const bool held = is_taken(step);
    ObjectRecord& lock = step.object(Kind::spin);
    if (held) return fail_with(step.outcome, error::busy);
    lock.owner = step.thread;
}

}  // namespace

void operations::spin_init(const ModelStep& step) { initialise(step, Kind::spin, is_taken(step)); }

void operations::spin_destroy(const ModelStep& step) {
    destroy(step, Kind::spin, is_taken(step) ? Misuse::destroy_locked : Misuse::none);
}

std::uint32_t ways::spin_lock(const MachineState& machine, ThreadSlot thread) {
    return is_taken(machine, machine.thread(thread).object) ? 0 : 1;
}
void operations::spin_lock(const ModelStep& step) { lock(step); }
void operations::spin_trylock(const ModelStep& step) { lock(step); }

void operations::spin_unlock(const ModelStep& step) {
    const bool held = is_taken(step);
    ObjectRecord& lock = step.object(Kind::spin);
    if (lock.owner != step.thread) report(step.outcome, held ? Misuse::unlock_not_owner : Misuse::unlock_unlocked);
    lock.owner = no_slot;
}

}  // namespace raddle
