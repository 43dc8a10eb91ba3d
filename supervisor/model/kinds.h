// The functions that give operations their meaning; each kind of object has its file. operation.def lists them:
//   operations::NAME   carries out the operation
//   ways::NAME         in how many ways it can take effect now, 0 if it is blocked       (rows with ways = own)
//   leaving::NAME        undoes the wait of a thread that gives up                         (rows with has_leave)
//   announcing::NAME     what a thread does first if it announces the operation            (rows with has_announce)
//   guards::NAME       whether it commutes with its like                                   (rows with guarded)
// A function that is missing does not link. All take slots instead of references, because a new object may move the
// tables.
#pragma once

#include "supervisor/model/machine_state.h"

namespace raddle {

// Results are the error numbers of Linux.
namespace error {
inline constexpr std::int64_t none = 0, not_permitted = 1, no_such_thread = 3, again = 11, busy = 16, invalid = 22,
                              deadlock = 35, overflow = 75, timed_out = 110, owner_dead = 130, not_recoverable = 131;
inline constexpr std::int64_t cancelled = -2;  // of a relock: the wait before it was cancelled
inline constexpr std::int64_t barrier_serial = -1;
}  // namespace error

// One action that takes effect.
struct ModelStep {
    MachineState& machine;
    ThreadSlot thread;
    const ThreadRecord& before;  // the thread's record as it was
    std::uint32_t value;         // the alternative that was chosen
    ActionOutcome& outcome;

    ObjectRecord& object(Kind kind) const { return machine.use_object(thread, before.object, kind, outcome); }
};

enum class Leaving : std::uint8_t { timed_out, cancelled, interrupted };

namespace operations {
#define RADDLE_OPERATION(name, ...) void name(const ModelStep& step);
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
}  // namespace operations

namespace ways {
#define RADDLE_OPERATION(name, ...) std::uint32_t name(const MachineState& machine, ThreadSlot thread);
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
}  // namespace ways

namespace leaving {
#define RADDLE_OPERATION(name, ...) void name(const ModelStep& step, Leaving why);
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
}  // namespace leaving

namespace announcing {
#define RADDLE_OPERATION(name, ...) void name(MachineState& machine, ThreadSlot thread, Action& action);
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
}  // namespace announcing

// The state in which an action would take effect.
enum class Guard : std::uint8_t {
    fails,          // the use is exclusive
    holds,          // the use has the guarded mode
    holds_for_one,  // the same, but after it the same action of another thread would do otherwise than now
};

namespace guards {
#define RADDLE_OPERATION(name, ...) Guard name(const MachineState& machine, ThreadSlot thread);
#include "supervisor/model/operation.def"
#undef RADDLE_OPERATION
}  // namespace guards

namespace mutexes {
// A condition wait takes and gives back one level of a recursive mutex, as in glibc. The mutex is free for the thread
// if nobody holds it, or if the thread itself does.
bool is_free(const MachineState& machine, ThreadSlot thread, ObjectSlot mutex);
std::int64_t take(MachineState& machine, ThreadSlot thread, ObjectSlot mutex, ActionOutcome& outcome);
void give_back(MachineState& machine, ThreadSlot thread, ObjectSlot mutex);
// Mutexes with these attributes know their owner, and refuse an unlock by another thread.
bool checks_owner(std::uint8_t attributes);
ObjectSlot newest_robust_held(const MachineState& machine, ThreadSlot thread);
}  // namespace mutexes

// The thread's own record of a lock that it holds: other threads never touch it.
inline ObjectId hold_of(const MachineState& machine, ThreadSlot thread, const ObjectId& lock) {
    return object_in(Space::hold, machine.thread(thread).id.code, hash_of(lock));
}

inline void fail_with(ActionOutcome& outcome, std::int64_t result) {
    outcome.effect = Effect::failed;
    outcome.result = result;
}

// The init and destroy of most kinds. Kinds differ only in the meaning of "in use".
void initialise(const ModelStep& step, Kind kind, bool in_use);
void destroy(const ModelStep& step, Kind kind, Misuse in_use);

}  // namespace raddle
