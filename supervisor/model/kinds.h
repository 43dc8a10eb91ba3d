// What each kind of object means. One file a kind: `regular` says in how many ways the pending action of a thread can
// take effect now (0: it is blocked), `apply` does it; where giving up changes something, `lapse` and `cancel` do it.
// All get slots, never references, as making an object may move the tables.
#pragma once

#include "supervisor/model/machine.h"

namespace raddle {

// Results are the numbers glibc returns on Linux.
namespace error {
inline constexpr std::int64_t none = 0, not_permitted = 1, no_such_thread = 3, again = 11, busy = 16, invalid = 22,
                              deadlock = 35, overflow = 75, timed_out = 110, owner_dead = 130, not_recoverable = 131;
inline constexpr std::int64_t cancelled = -2;      // of a relock: the wait before it was cancelled
inline constexpr std::int64_t barrier_serial = -1;
}  // namespace error

#define RADDLE_KIND(kind)                                                                       \
    namespace kind {                                                                            \
    std::uint32_t regular(const Machine& machine, ThreadSlot thread);                           \
    void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t value, ActionOutcome& outcome); \
    }
RADDLE_KIND(threads)
RADDLE_KIND(mutexes)
RADDLE_KIND(spin_locks)
RADDLE_KIND(rwlocks)
RADDLE_KIND(conditions)
RADDLE_KIND(semaphores)
RADDLE_KIND(barriers)
RADDLE_KIND(onces)
RADDLE_KIND(memories)
RADDLE_KIND(timers)
RADDLE_KIND(descriptors)
RADDLE_KIND(processes)
RADDLE_KIND(futexes)
#undef RADDLE_KIND

namespace mutexes {
// Taking and giving back as parts of condition waits, one level of a recursive mutex as glibc does: it is free for the
// thread if nobody holds it, or the thread itself still does.
bool is_free(const Machine& machine, ThreadSlot thread, ObjectSlot mutex);
std::int64_t take(Machine& machine, ThreadSlot thread, ObjectSlot mutex, ActionOutcome& outcome);
void give_back(Machine& machine, ThreadSlot thread, ObjectSlot mutex);
// Whether mutexes with these attributes know their owner, and refuse to be unlocked by others.
bool refuses_strangers(std::uint8_t attributes);
// Of the robust mutexes that the thread took and did not give back, the one it took last; no_slot if there is none.
ObjectSlot newest_robust_held(const Machine& machine, ThreadSlot thread);
}  // namespace mutexes

// What a thread knows by itself of a lock that it took, whatever others have done to it since; touched by nobody else.
inline ObjectId hold_of(const Machine& machine, ThreadSlot thread, const ObjectId& lock) {
    return object_in(Space::hold, machine.thread(thread).id.code, hash_of(lock));
}

namespace rwlocks {
// It took the lock for writing and did not give it back.
bool believes_to_write(const Machine& machine, ThreadSlot thread, const ObjectId& lock);
void time_out(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome);
}

namespace conditions {
void time_out(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome);
void cancel(Machine& machine, ThreadSlot thread, const ThreadRecord& before, ActionOutcome& outcome);
}

namespace futexes {
void stand_in_queue(Machine& machine, ThreadSlot thread);  // with the announcement of its wait
void give_up(Machine& machine, ThreadSlot thread);         // its time ran out, or it acts on its cancellation
}

// The object's record if it is live and of this kind, else null: it was never used, or as something else.
inline const ObjectRecord* live_object(const Machine& machine, ObjectSlot slot, Kind kind) {
    const ObjectRecord& object = machine.object(slot);
    const bool lives = object.state == ObjectState::live || object.state == ObjectState::revived;
    return object.kind == kind && lives ? &object : nullptr;
}

inline void report(ActionOutcome& outcome, Misuse misuse) {
    if (outcome.misuse == Misuse::none) outcome.misuse = misuse;
}

inline void fail_with(ActionOutcome& outcome, std::int64_t result) {
    outcome.effect = Effect::failed;
    outcome.result = result;
}

// Shared by the kinds whose init and destroy differ only in what "in use" means.
void initialise(Machine& machine, ObjectSlot slot, Kind kind, const Action& action, bool in_use, ActionOutcome& outcome);
void destroy(Machine& machine, ThreadSlot thread, ObjectSlot slot, Kind kind, Misuse in_use, ActionOutcome& outcome);

}  // namespace raddle
