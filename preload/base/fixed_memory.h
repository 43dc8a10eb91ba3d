// Memory that the shim maps for itself and for threads, at fixed addresses. The shim must not move anything that the
// program maps, and the same memory has to lie at the same addresses when an execution starts again in the same
// process.
//   * tables: the shim's own tables grow into this range and keep their memory until the execution ends.
//   * stacks and heaps of threads: in their arenas (thread_arena.h). A process that is put back to its start keeps
//   those
//     of its last execution, cleaned, and the next execution finds them here.
//   * buffers of stdio streams: in a range of their own (hooks/heap/stream_buffers.h).
//   * the channel (supervisor/protocol/channel.h): far from code, near which copies of functions lie.
//   * preserved: the data that a restore itself needs (restore/preserved.h). Nothing else may be written there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "supervisor/protocol/shim_memory.h"

namespace raddle::fixed_memory {

inline constexpr std::uint64_t stream_buffers = 0x460000000000;
// No memory lies here: these addresses stand for memory that has several mappings (schedule/common_address.h).
inline constexpr std::uint64_t common = 0x480000000000;
inline constexpr std::uint64_t tables = shim_memory::begin;
inline constexpr std::uint64_t preserved = 0x510000000000;
inline constexpr std::uint64_t filter_cache = 0x511000000000;    // preserved: memory/checks/filter.h
inline constexpr std::uint64_t filter_changes = 0x511800000000;  // preserved: memory/checks/filter_changes.h
inline constexpr std::uint64_t shared_channel = 0x518000000000;
inline constexpr std::uint64_t end = shim_memory::end;
constexpr bool is_shims(std::uint64_t address) { return shim_memory::contains(address); }

// The allocator of the model's tables (its type is Grow).
void* grow(void* old, std::size_t old_bytes, std::size_t new_bytes);

// Map zeroed memory in a thread arena. False if something else is mapped there, or memory has run out.
bool take_stack(std::uint32_t arena, void* begin, std::size_t bytes);
bool take_heap(std::uint32_t arena, void* begin, std::size_t bytes);  // the first piece
bool extend_heap(void* begin, std::size_t bytes);
// Whether the program has a heap below 4 GiB (thread_arena.h); finds its place first. Then the first piece of it.
bool has_low_heap();
bool take_low_heap(std::size_t bytes);

// A range mapped here since the process was at its start. `kept`: the next execution finds it again, cleaned.
struct Taken {
    std::uint64_t begin, end;
    bool kept;
};
inline constexpr std::uint32_t most_taken = 1u << 14;
std::uint32_t taken_count();  // if more than most_taken, the later ones are unknown
const Taken& taken(std::uint32_t index);

// The stack, or first piece of a heap, that the process keeps for an arena; all zero if there is none.
struct Kept {
    std::uint64_t begin, end;
};
struct KeptTable {
    Kept stack[4096], heap[4096];
};
void use_kept(KeptTable* table);

}  // namespace raddle::fixed_memory
