// What the searches for known bugs read off single events: the code they came from, writes, and the locks held at them.
#pragma once

#include <span>

#include "supervisor/trace/track.h"

namespace raddle {

// The same for actions of the same code: the place in the program, or the operation and its object.
std::uint64_t code_of(const Action& action);

// The event wrote to its variable.
bool has_written(const TrackEvent& event);

// It has critical sections: they are followed, and only their order among each other is kept.
constexpr bool is_lock(Kind kind) { return kind == Kind::mutex || kind == Kind::spin || kind == Kind::rwlock; }

struct HeldLock {
    ObjectSlot lock;
    Position since;  // the event that took it
    bool shared;
};

// A lock that both threads hold, and that excludes one while the other holds it; null if there is none.
const HeldLock* common_lock(std::span<const HeldLock> one, std::span<const HeldLock> other);

}  // namespace raddle
