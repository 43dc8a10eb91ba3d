#include "preload/memory/state.h"

namespace raddle::memory {

Patches patches;
bool active = false;
std::uint32_t current_arena = 0;
std::uint64_t unseen_writes = 0;
std::uint32_t idle_reads = 0;
std::uint64_t main_stack_top = 0;
std::uint64_t main_thread_locals = 0;
std::uint64_t main_thread_locals_end = 0;
std::uint64_t probing = 0;
const AccessFrame* probing_frame = nullptr;
std::uint64_t execution_mark = 0;
std::uint64_t action_mark = 0;

}  // namespace raddle::memory
