// Words of a stack that other threads wrote to, with the values that the stack's owner knows.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory::foreign_writes {

// The number of such words.
extern std::uint32_t count;
inline bool any() { return count != 0; }
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
