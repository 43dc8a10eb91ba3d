// Words of a stack that other threads wrote to, with the values that the stack's owner knows.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory::foreign_writes {

// The number of such words.
extern std::uint32_t count;
inline bool any() { return count != 0; }
// One bit of 64 for each such word; a bit can belong to several words. Inline, for the fast path.
extern std::uint64_t marks;
inline std::uint64_t mark_of(std::uint64_t word) {
    return std::uint64_t{1} << ((word >> 3) * 0x9e3779b97f4a7c15ULL >> 58);
}
inline bool may_contain(std::uint64_t address, std::uint64_t bytes) {
    if (!any()) return false;
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + bytes; word += 8)
        if ((marks & mark_of(word)) != 0) return true;
    return false;
}
// Some of these words lie there.
bool any_in(std::uint64_t begin, std::uint64_t end);
// There were too many: owners' values are unknown.
bool are_lost();
// The word at `at`, with the bytes that others wrote replaced by the owner's last values.
std::uint64_t as_owner_knows(std::uint64_t at, std::uint64_t word);
// The current thread is about to write to another's stack. wrote() (preload/schedule/callbacks.h) follows after the
// write.
void about_to_write(std::uint64_t address, std::uint64_t bytes);
// The current thread reads or writes its own stack: it knows these bytes now.
void owner_accesses(std::uint64_t address, std::uint64_t bytes);

}  // namespace raddle::memory::foreign_writes
