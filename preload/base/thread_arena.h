// A thread arena is the address range of one thread: its heap at the bottom, its stack at the top. The arena follows
// from the thread's name wherever possible, so that the thread's addresses are the same in every interleaving.
//   * Main has arena 0, and its n-th child arena n. The b-th child of main's a-th child has an arena of its own, too,
//   for
//     a, b < 32.
//   * Other names are hashed. If a thread that still has its stack holds that arena, the next free one is taken.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::thread_arena {

inline constexpr std::uint32_t count = 4096;
inline constexpr std::uint32_t direct = 2048;         // main and its first children
inline constexpr std::uint32_t grandchildren = 1024;  // the arenas after those
inline constexpr std::uint64_t base = 0x200000000000;
inline constexpr std::uint64_t bytes = std::uint64_t{1} << 33;
inline constexpr std::uint64_t heap_bytes = std::uint64_t{6} << 30;
inline constexpr std::uint64_t stack_bytes = bytes - heap_bytes;

// The heap of a non-PIE program's main thread begins below 4 GiB, where the kernel would put it: some programs keep its
// addresses in 32 bits. Main's arena holds the rest. 0: there is no such heap.
struct LowHeap {
    std::uint64_t begin = 0, bytes = 0;
    bool contains(std::uint64_t address) const { return address - begin < bytes; }
};
extern LowHeap low_heap;

// Memory that a thread maps without asking for an address (hooks/memory/mappings.cpp) lies in a second range of the
// arena.
inline constexpr std::uint64_t mappings = 0x100000000000;
inline constexpr std::uint64_t mapping_bytes = std::uint64_t{1} << 32;
static_assert(mappings + count * mapping_bytes <= base);
constexpr bool is_mapped(std::uint64_t address) { return address - mappings < count * mapping_bytes; }
constexpr std::uint64_t mappings_of(std::uint32_t index) { return mappings + index * mapping_bytes; }

constexpr std::uint64_t start_of(std::uint32_t index) { return base + index * bytes; }
constexpr std::uint64_t end_of(std::uint32_t index) { return start_of(index) + bytes; }
constexpr bool contains(std::uint64_t address) { return address - base < count * bytes; }
constexpr std::uint32_t index_of(std::uint64_t address) { return static_cast<std::uint32_t>((address - base) / bytes); }

// The arena that a name should have. The caller goes on from there to the next free one.
constexpr std::uint32_t preferred_index(ThreadId parent, std::uint32_t number) {
    if (parent.code == 0 && number < direct) return number;
    if (number < 32)
        for (std::uint32_t n = 1; n < 32; ++n)
            if (parent == child_of(main_thread, n)) return direct + n * 32 + number;
    const std::uint64_t hash = mix64(parent.code * 0x9e3779b97f4a7c15ULL + number);
    return direct + grandchildren + static_cast<std::uint32_t>(hash % (count - direct - grandchildren));
}

}  // namespace raddle::thread_arena
