// Changes of the filter's cache since the first checkpoint (restore/checkpoints.h). restore/callbacks.h declares the
// functions that undo them.
#pragma once

#include "preload/base/stale_words.h"
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

// Every change of an entry goes through here. The program finds the same in its registers whether changes are kept, as
// in a process that begins at checkpoints, or not: a variadic function of libc stores all registers of arguments.
inline void set(CacheEntry& entry, const CacheEntry& value) {
    if (changes->kept) {
        if (changes->count < most)
            changes->all[changes->count++] = {static_cast<std::uint32_t>(&entry - filter_cache), entry};
        else
            changes->count = most + 1;
    }
    entry = value;
    stale_words::clear_registers();
}

bool map_changes();

}  // namespace raddle::memory::filter_changes
