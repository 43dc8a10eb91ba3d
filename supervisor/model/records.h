// What the machine keeps about each thread and each object.
#pragma once

#include "supervisor/model/action.h"
#include "supervisor/model/outcome.h"

namespace raddle {

enum class Life : std::uint8_t { unborn, running, announced, ended };

// A variable that a thread read, and the value it found.
struct VariableRead {
    ObjectSlot object = no_slot;
    std::uint32_t bytes = 0;
    std::uint64_t value = 0;
    std::uint32_t previous = 0;  // the number of the thread's read before; 0: there was none
    std::uint32_t unused = 0;
};
// A spin_wait that can time out and be cancelled uses two more objects.
inline constexpr std::uint32_t max_last_reads = most_uses - 2;

struct ThreadRecord {
    ThreadId id{};
    Action pending{};
    ObjectSlot object = no_slot;  // the slots of pending.object and pending.second
    ObjectSlot second = no_slot;
    ObjectSlot self = no_slot;  // the thread as an object, and its cancellation mark
    ObjectSlot cancel_mark = no_slot;
    ObjectSlot waits_on = no_slot;  // the condition, futex or barrier; it stands in its queue
    std::uint32_t ticket = 0;       // its number in that queue
    std::uint32_t events = 0;
    std::uint32_t children = 0;
    std::uint32_t robust_held = 0;
    EventName enabler{};         // the event that created it, or woke it in the queue it stands in
    EventName releaser{};        // the arrival that completed the round of its barrier
    std::uint64_t time = 0;      // virtual, in nanoseconds
    std::uint64_t woken_at = 0;  // virtual time of `enabler`, and of `releaser`: it flows when the thread goes on
    std::uint64_t released_at = 0;
    std::uint64_t deadline = 0;    // of its last action with a time limit
    std::uint64_t wait_began = 0;  // a wait that goes on until the same deadline counts from its beginning
    std::uint64_t journalled = 0;  // the mark since which its old contents are in the journal
    std::uint32_t last_read = 0;   // the number of its last read of a known value (MachineState::read)
    Life life = Life::unborn;
    bool signalled = false;  // woken in the queue of a condition or futex
    bool released = false;   // the round of its barrier is complete. A handler may wait at a barrier while the thread
                             // stands in the queue of a condition
    bool cancelled = false;  // has acted on its cancellation; it does so once
    Misuse misuse = Misuse::none;  // its first misuse
};

// The event that made its pending action possible, where that is another thread's event.
constexpr EventName enabler_of(const ThreadRecord& thread) {
    switch (traits(thread.pending.operation).waits) {
        case Wait::creation:
        case Wait::wake_up: return thread.enabler;
        case Wait::arrivals: return thread.releaser;
        default: return {};
    }
}

// A destroyed object that is used again works like a new one (revived), and every use of it is a misuse.
enum class ObjectState : std::uint8_t { unknown, live, destroyed, revived };

// One record serves every kind. The file of each kind says what it keeps in which field.
struct ObjectRecord {
    ObjectId id{};
    Kind kind = Kind::none;
    ObjectState state = ObjectState::unknown;
    std::uint8_t attributes = 0;
    bool flag = false;
    std::uint32_t owner = no_slot;
    std::uint32_t count = 0;
    std::uint32_t waiters = 0;
    std::uint32_t tickets = 0;
    std::uint32_t limit = 0;
    ObjectSlot bound = no_slot;
    std::int64_t value = 0;
    std::uint64_t exclusive_time = 0;  // virtual time of the last use of each mode, and of any use
    std::uint64_t shared_time = 0;
    std::uint64_t counts_time = 0;
    std::uint64_t any_time = 0;
    std::uint64_t journalled = 0;  // as in ThreadRecord
};

// The machine knows the value of the variable, in this width.
bool knows_value(const ObjectRecord& variable, std::uint64_t bytes);
// The value that an access of this width finds; bytes that are not known come from `otherwise`.
std::uint64_t value_of(const ObjectRecord& variable, std::uint64_t bytes, std::uint64_t otherwise);
// It waits until a variable changes that it would read again and again.
constexpr bool spins(const Action& action) {
    return action.operation == Operation::spin_wait || (action.flags & flag::spins) != 0;
}
// How many of its thread's last reads a spin_wait awaits a change of.
constexpr std::uint32_t reads_awaited(const Action& action) {
    if (action.operation != Operation::spin_wait || action.awaited_reads() < 0) return 0;
    return action.awaited_reads() < max_last_reads ? static_cast<std::uint32_t>(action.awaited_reads())
                                                   : max_last_reads;
}

}  // namespace raddle
