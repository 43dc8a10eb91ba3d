// What each kind of object means. One file a kind: `regular` says in how many ways the pending action of a thread can
// take effect now (0: it is blocked), `apply` does it, `lapse` gives up waiting. All get slots, never references, as
// making an object may move the tables.
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
    void apply(Machine& machine, ThreadSlot thread, const ThreadRecord& before, std::uint32_t value, Outcome& outcome); \
    void lapse(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome);                      \
    }
RADDLE_KIND(threads)
RADDLE_KIND(mutexes)
RADDLE_KIND(spins)
RADDLE_KIND(rwlocks)
RADDLE_KIND(conditions)
RADDLE_KIND(semaphores)
RADDLE_KIND(barriers)
RADDLE_KIND(onces)
RADDLE_KIND(memories)
RADDLE_KIND(timers)
RADDLE_KIND(descriptors)
RADDLE_KIND(processes)
#undef RADDLE_KIND

namespace mutexes {
// Taking and giving back as parts of condition waits. The mutex is free for the thread if nobody holds it.
bool is_free(const Machine& machine, ObjectSlot mutex);
std::int64_t take(Machine& machine, ThreadSlot thread, ObjectSlot mutex, std::uint8_t attributes, std::uint32_t depth,
                  Outcome& outcome);
void give_back(Machine& machine, ThreadSlot thread, ObjectSlot mutex);
}  // namespace mutexes

namespace conditions {
void cancel(Machine& machine, ThreadSlot thread, const ThreadRecord& before, Outcome& outcome);
}

// The object's record if it is live and of this kind, else null: it was never used, or as something else.
inline const ObjectRecord* live(const Machine& machine, ObjectSlot slot, Kind kind) {
    const ObjectRecord& object = machine.object(slot);
    return object.kind == kind && object.state == ObjectState::live ? &object : nullptr;
}

inline void report(Outcome& outcome, Misuse misuse) {
    if (outcome.misuse == Misuse::none) outcome.misuse = misuse;
}

inline void refuse(Outcome& outcome, std::int64_t result) {
    outcome.effect = Effect::failed;
    outcome.result = result;
}

// Shared by the kinds whose init and destroy differ only in what "in use" means.
void initialise(Machine& machine, ObjectSlot slot, Kind kind, const Action& action, bool in_use, Outcome& outcome);
void destroy(Machine& machine, ThreadSlot thread, ObjectSlot slot, Kind kind, Misuse in_use, Outcome& outcome);

}  // namespace raddle
