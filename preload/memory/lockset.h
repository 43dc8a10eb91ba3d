// What orders an access whatever the schedule: a mutex that its thread holds, or that all other threads were waited for.
// Memory that is only touched so needs no actions of its own: what happens between two others of a thread cannot be told
// from happening at one go, as long as no access is found that nothing orders (the memory's users then become visible).
#pragma once

#include <cstdint>

namespace raddle::memory::lockset {

inline constexpr int most_locks = 2;  // a third that is held at the same time does not count

// Mutexes, as slots of the machine plus one; ahead of the empty places.
struct Lockset {
    std::uint32_t mutex[most_locks]{};

    bool any() const { return mutex[0] != 0; }
    void keep_common_with(const Lockset& others);
};

// Of the current thread, as long as it does nothing visible.
struct Circumstances {
    bool alone = false;  // no thread but this one was started and not joined
    Lockset held;
};
const Circumstances& current();

}  // namespace raddle::memory::lockset
