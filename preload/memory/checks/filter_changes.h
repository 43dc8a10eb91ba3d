// Changes of the filter's cache since the first checkpoint (restore/checkpoints.h). restore/callbacks.h declares the
// functions that undo them.
#pragma once

#include "preload/memory/checks/filter.h"

namespace raddle::memory::filter_changes {

inline constexpr std::uint32_t most = 1u << 16;

struct Change {
    std::uint32_t index;
    CacheEntry before;
};
struct Changes {
    bool kept;
    std::uint32_t count;  // most + 1: there were more
    Change all[most];
};
extern Changes* changes;  // null: memory accesses are not followed

// Every change of an entry goes through here.
inline void set(CacheEntry& entry, const CacheEntry& value) {
    if (changes->kept) {
        if (changes->count < most)
            changes->all[changes->count++] = {static_cast<std::uint32_t>(&entry - filter_cache), entry};
        else
            changes->count = most + 1;
    }
    entry = value;
}

bool map_changes();

}  // namespace raddle::memory::filter_changes
