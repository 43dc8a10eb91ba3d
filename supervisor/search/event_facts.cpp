#include "supervisor/search/event_facts.h"

#include "supervisor/base/hash.h"

namespace raddle {

std::uint64_t code_of(const Action& action) {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(action.operation));
    // Without a place in the code, the object stands for it.
    if (action.site != 0)
        hasher.add(action.site);
    else
        hasher.add(hash_of(action.object)).add(hash_of(action.second));
    return hasher.finish().low;
}

bool has_written(const TrackEvent& event) {
    const MemoryAccess access = traits(event.action.operation).access;
    return access == MemoryAccess::writes || (access == MemoryAccess::updates && event.outcome.effect == Effect::done);
}

const HeldLock* common_lock(std::span<const HeldLock> one, std::span<const HeldLock> other) {
    for (const HeldLock& a : one)
        for (const HeldLock& b : other)
            if (a.lock == b.lock && (!a.shared || !b.shared)) return &a;
    return nullptr;
}

}  // namespace raddle
