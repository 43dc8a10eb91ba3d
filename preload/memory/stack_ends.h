// For each arena, the part of its thread's stack whose frames have ended, and the part that other threads have used.
// Only addresses: frames.h tells what follows from them.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory::stack_ends {

// No other thread has used the stack below this address, in this execution or an earlier one.
extern std::uint64_t lowest_shared[thread_arena::count];
// Frames below this address have ended; 0: none have.
extern std::uint64_t ended_below[thread_arena::count];

// The stack pointer of an access that is being performed; 0: none is.
extern std::uint64_t access_frame[thread_arena::count];

inline std::uint64_t begin_of(std::uint32_t arena) {
    return arena == 0 ? main_stack_top - main_reach : thread_arena::start_of(arena) + thread_arena::heap_bytes;
}
inline std::uint64_t end_of(std::uint32_t arena) { return arena == 0 ? main_stack_top : thread_arena::end_of(arena); }
inline bool is_stack_of(std::uint32_t arena, std::uint64_t address) {
    return address >= begin_of(arena) && address < end_of(arena);
}
inline std::uint32_t owner_of(std::uint64_t address) {
    return thread_arena::contains(address) ? thread_arena::index_of(address) : 0;
}
inline bool has_ended(std::uint32_t owner, std::uint64_t address) {
    return address < ended_below[owner] && is_stack_of(owner, address);
}
// The running thread accesses another thread's stack.
inline void note_shared(std::uint64_t address) {
    const std::uint32_t owner = owner_of(address);
    if (address < lowest_shared[owner]) lowest_shared[owner] = address;
}

}  // namespace raddle::memory::stack_ends
