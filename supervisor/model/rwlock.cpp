// Reader-writer locks. owner: the writer; count: readers; waiters: writers in the queue, if the lock prefers writers.
// The thread's hold_of the lock says how often the thread reads (count) and whether it writes (flag). So the model sees
// an unlock by another thread, and only the thread's own past decides which unlock it is.
#include "supervisor/model/kinds.h"

namespace raddle {

namespace {

ObjectSlot hold_slot(const ModelStep& step) {
    return step.machine.object_slot(hold_of(step.machine, step.thread, step.machine.object(step.before.object).id));
}

bool is_writer(const MachineState& machine, ThreadSlot thread, ObjectSlot slot) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::rwlock);
    return lock != nullptr && lock->owner == thread;
}
bool is_writer(const ModelStep& step) { return is_writer(step.machine, step.thread, step.before.object); }

bool can_read(const MachineState& machine, ObjectSlot slot) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::rwlock);
    return lock == nullptr || (lock->owner == no_slot && lock->waiters == 0);
}

// A try does not overtake writers in the queue.
bool can_write(const MachineState& machine, ObjectSlot slot, bool is_try) {
    const ObjectRecord* lock = live_object(machine, slot, Kind::rwlock);
    return lock == nullptr || (lock->owner == no_slot && lock->count == 0 && !(is_try && lock->waiters > 0));
}

void read(const ModelStep& step, bool is_try) {
    const bool deadlocks = is_writer(step) && !is_try;
    const bool can = can_read(step.machine, step.before.object);
    const ObjectSlot hold = hold_slot(step);
    ObjectRecord& lock = step.object(Kind::rwlock);
    if (deadlocks) report(step.outcome, Misuse::relock_held);
    if (!can) return fail_with(step.outcome, deadlocks ? error::deadlock : error::busy);
    ++lock.count;
    ++step.machine.change_object(hold).count;
}

void write(const ModelStep& step, bool is_try) {
    const bool deadlocks = is_writer(step) && !is_try;
    const bool can = can_write(step.machine, step.before.object, is_try);
    const ObjectSlot hold = hold_slot(step);
    ObjectRecord& lock = step.object(Kind::rwlock);
    if (!is_try && lock.waiters > 0) --lock.waiters;
    if (deadlocks) report(step.outcome, Misuse::relock_held);
    if (!can) return fail_with(step.outcome, deadlocks ? error::deadlock : error::busy);
    lock.owner = step.thread;
    step.machine.change_object(hold).flag = true;
}

bool is_held(const ModelStep& step) {
    const ObjectRecord* lock = live_object(step.machine, step.before.object, Kind::rwlock);
    return lock != nullptr && (lock->owner != no_slot || lock->count > 0);
}
bool is_waited_for(const ModelStep& step) {
    const ObjectRecord* lock = live_object(step.machine, step.before.object, Kind::rwlock);
    return lock != nullptr && lock->waiters > 0;
}

// The program only says "unlock". The thread took the lock for writing and did not give it back: it unlocks as a
// writer.
void choose_unlock(const MachineState& machine, ThreadSlot thread, Action& action) {
    const ObjectSlot hold = machine.find_object(hold_of(machine, thread, action.object));
    const bool writes = hold != no_slot && machine.object(hold).flag;
    action.operation = writes ? Operation::rwlock_wrunlock : Operation::rwlock_rdunlock;
}

}  // namespace

void operations::rwlock_init(const ModelStep& step) {
    initialise(step, Kind::rwlock, is_held(step) || is_waited_for(step));
}

void operations::rwlock_destroy(const ModelStep& step) {
    const Misuse in_use = is_held(step)         ? Misuse::destroy_locked
                          : is_waited_for(step) ? Misuse::destroy_waited
                                                : Misuse::none;
    destroy(step, Kind::rwlock, in_use);
}

std::uint32_t ways::rwlock_rdlock(const MachineState& machine, ThreadSlot thread) {
    const ObjectSlot lock = machine.thread(thread).object;
    return can_read(machine, lock) || is_writer(machine, thread, lock) ? 1 : 0;
}
void operations::rwlock_rdlock(const ModelStep& step) { read(step, false); }
void operations::rwlock_tryrdlock(const ModelStep& step) { read(step, true); }

std::uint32_t ways::rwlock_wrlock(const MachineState& machine, ThreadSlot thread) {
    const ObjectSlot lock = machine.thread(thread).object;
    return can_write(machine, lock, false) || is_writer(machine, thread, lock) ? 1 : 0;
}
void operations::rwlock_wrlock(const ModelStep& step) { write(step, false); }
void operations::rwlock_trywrlock(const ModelStep& step) { write(step, true); }

// The lock prefers writers: the thread joins the queue first.
void announcing::rwlock_wrlock(MachineState&, ThreadSlot, Action& action) {
    if ((action.attributes & attribute::rwlock::prefer_writers) != 0) action.operation = Operation::rwlock_request;
}

void operations::rwlock_request(const ModelStep& step) {
    ++step.object(Kind::rwlock).waiters;
    Action lock = step.before.pending;
    lock.operation = Operation::rwlock_wrlock;
    // A signal can take the thread out of the queue, and it comes back; a cancellation cannot.
    if ((lock.flags & flag::interruptible) != 0)
        lock.flags |= flag::uncancellable;
    else
        lock.flags &= static_cast<Flags>(~flag::cancellable);
    step.machine.follow_up(step.thread, lock, step.outcome);
}

void leaving::rwlock_wrlock(const ModelStep& step, Leaving why) {
    if (why == Leaving::cancelled) return;
    ObjectRecord& lock = step.object(Kind::rwlock);
    if (lock.waiters > 0) --lock.waiters;
}

void announcing::rwlock_rdunlock(MachineState& machine, ThreadSlot thread, Action& action) {
    choose_unlock(machine, thread, action);
}
void announcing::rwlock_wrunlock(MachineState& machine, ThreadSlot thread, Action& action) {
    choose_unlock(machine, thread, action);
}

void operations::rwlock_rdunlock(const ModelStep& step) {
    const ObjectSlot hold = hold_slot(step);
    ObjectRecord& lock = step.object(Kind::rwlock);
    if (step.machine.object(hold).count == 0 || lock.count == 0) {
        const bool is_free = lock.owner == no_slot && lock.count == 0;
        return report(step.outcome, is_free ? Misuse::unlock_unlocked : Misuse::unlock_not_owner);
    }
    --step.machine.change_object(hold).count;
    --step.machine.change_object(step.before.object).count;
}

// It gives back a lock for reading that it holds, and so can all others that hold one. (If the lock was initialised
// while it was held, its count is too small for all of them.)
Guard guards::rwlock_rdunlock(const MachineState& machine, ThreadSlot thread) {
    const ObjectRecord* lock = live_object(machine, machine.thread(thread).object, Kind::rwlock);
    if (lock == nullptr || lock->state != ObjectState::live) return Guard::fails;
    const auto times_read = [&](ThreadSlot reader) {
        const ObjectSlot hold = machine.find_object(hold_of(machine, reader, lock->id));
        return hold == no_slot ? 0 : machine.object(hold).count;
    };
    if (times_read(thread) == 0) return Guard::fails;
    std::uint32_t held = 0;
    for (ThreadSlot reader = 0; reader < machine.thread_count(); ++reader) held += times_read(reader);
    return held <= lock->count ? Guard::holds : Guard::fails;
}

void operations::rwlock_wrunlock(const ModelStep& step) {
    step.machine.change_object(hold_slot(step)).flag = false;
    if (!is_writer(step)) return rwlock_rdunlock(step);
    step.machine.change_object(step.before.object).owner = no_slot;
}

}  // namespace raddle
