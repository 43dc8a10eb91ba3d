#include "preload/memory/checks/filter_changes.h"

#include "preload/base/fixed_memory.h"
#include "preload/base/raw.h"
#include "preload/restore/callbacks.h"

namespace raddle::memory::filter_changes {

Changes* changes = nullptr;

bool map_changes() {
    changes = static_cast<Changes*>(
        raw::map_at(reinterpret_cast<void*>(fixed_memory::filter_changes), sizeof(Changes), MAP_FIXED_NOREPLACE));
    return changes != nullptr;
}

std::uint32_t keep() {
    if (changes == nullptr) return 0;
    changes->kept = true;
    return changes->count;
}

bool undo(std::uint32_t number) {
    if (changes == nullptr) return true;
    if (changes->count > most) return false;
    while (changes->count > number) {
        const Change& change = changes->all[--changes->count];
        filter_cache[change.index] = change.before;
    }
    return true;
}

void forget() {
    if (changes == nullptr) return;
    changes->kept = false;
    changes->count = 0;
}

}  // namespace raddle::memory::filter_changes
