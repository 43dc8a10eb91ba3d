#include "preload/memory/lockset.h"

#include "preload/memory/state.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::lockset {

namespace {

constexpr std::uint32_t was_joined = 1;  // value of `count` in the object of a thread

bool is_alone(const Machine& machine, ThreadSlot self) {
    for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot) {
        if (slot == self) continue;
        const ThreadRecord& other = machine.thread(slot);
        if (other.life != Life::ended || machine.object(other.self).count != was_joined) return false;
    }
    return true;
}

Lockset held_by(const Machine& machine, ThreadSlot self) {
    Lockset held;
    int count = 0;
    for (ObjectSlot slot = 0; slot < machine.object_count() && count < most_locks; ++slot) {
        const ObjectRecord& object = machine.object(slot);
        if (object.kind == Kind::mutex && object.owner == self) held.mutex[count++] = slot + 1;
    }
    return held;
}

}  // namespace

void Lockset::keep_common_with(const Lockset& others) {
    int kept = 0;
    for (const std::uint32_t one : mutex)
        if (one != 0 && (one == others.mutex[0] || one == others.mutex[1])) mutex[kept++] = one;
    while (kept < most_locks) mutex[kept++] = 0;
}

const Ordering& current() {
    static Ordering known;
    static std::uint64_t known_at = 0;
    if (known_at == action_mark) return known;
    const Machine& machine = scheduler::machine();
    const ThreadSlot self = scheduler::current().slot;
    known.alone = is_alone(machine, self);
    known.held = held_by(machine, self);
    known_at = action_mark;
    return known;
}

}  // namespace raddle::memory::lockset
