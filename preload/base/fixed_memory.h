// Memory that the shim takes for itself and for threads, at fixed addresses: what it takes must not move what the target
// maps, and has to lie in the same place when an execution is started anew in the same process.
//   * tables: what the shim's own tables grow into; never given back within an execution.
//   * threads' stacks and heaps: in their territories (thread_arena.h). A process that is put back to its start keeps
//     those of its last execution, clean, and they are found here again.
//   * keep: what the restore of a process stands on (restart/keep.h); nothing else may write there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::fixed_memory {

inline constexpr std::uint64_t tables = 0x500000000000;
inline constexpr std::uint64_t preserved = 0x510000000000;
inline constexpr std::uint64_t filter_cache = 0x511000000000;  // in the keep's place: what needs no putting back (memory/memory.h)
inline constexpr std::uint64_t end = 0x520000000000;
constexpr bool is_shims(std::uint64_t address) { return address - tables < end - tables; }

// The Grow of the model's tables.
void* grow(void* old, std::size_t old_bytes, std::size_t new_bytes);

// Zeroed memory of a territory. False if the place is taken or memory has ended.
bool take_stack(std::uint32_t arena, void* begin, std::size_t bytes);
bool take_heap(std::uint32_t arena, void* begin, std::size_t bytes);   // the first piece
bool extend_heap(void* begin, std::size_t bytes);

// What was mapped here since the process stood at its start. `kept`: to be there, clean, in the next execution.
struct Taken {
    std::uint64_t begin, end;
    bool kept;
};
inline constexpr std::uint32_t most_taken = 1u << 14;
std::uint32_t taken_count();           // more than most_taken: not all are known
const Taken& taken(std::uint32_t index);

// A stack or first piece of a heap, by territory, that the process keeps; all zero if none.
struct Kept {
    std::uint64_t begin, end;
};
struct KeptTable {
    Kept stack[4096], heap[4096];
};
void use_kept(KeptTable* table);

}  // namespace raddle::fixed_memory
