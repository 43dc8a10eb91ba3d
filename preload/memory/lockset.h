// The locks of the running thread, in the sense of lockset algorithms for data races (Eraser). An access is ordered
// whatever the schedule if its thread holds a lock that guards the memory, or if all other threads were joined.
//
// Memory whose accesses are all ordered needs no actions of its own: no schedule could tell the difference. When an
// unordered access is found, the instructions that access the memory become visible.
#pragma once

#include <cstdint>

namespace raddle::memory::lockset {

inline constexpr int most_locks = 2;  // of more locks, only the first two count

// Mutexes, as slots of the machine plus one. 0 is an empty entry; these come last.
struct Lockset {
    std::uint32_t mutex[most_locks]{};

    bool any() const { return mutex[0] != 0; }
    void keep_common_with(const Lockset& others);
};

// The orderings of the current thread's accesses, until its next action.
struct Ordering {
    bool alone = false;  // all other threads that were started are joined
    Lockset held;
};
const Ordering& current();

}  // namespace raddle::memory::lockset
