#include "preload/memory/stack_ends.h"

namespace raddle::memory::stack_ends {

std::uint64_t lowest_shared[thread_arena::count];
std::uint64_t ended_below[thread_arena::count];
std::uint64_t access_frame[thread_arena::count];

}  // namespace raddle::memory::stack_ends
