// Where a thread's memory lies: each has a territory at a fixed address, its heap at the bottom and its stack at the
// top. The territory is a function of the thread's name wherever possible, so that its addresses are the same in
// every interleaving.
//   * main is 0, its n-th child n, the b-th child of its a-th child has a place of its own too, for a, b < 32;
//   * other names are hashed, and take the next free place if theirs is taken by a thread that still has its stack.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::thread_arena {

inline constexpr std::uint32_t count = 4096;
inline constexpr std::uint32_t direct = 2048;          // main and its first children
inline constexpr std::uint32_t grandchildren = 1024;   // the places after those
inline constexpr std::uint64_t base = 0x200000000000;
inline constexpr std::uint64_t bytes = std::uint64_t{1} << 33;
inline constexpr std::uint64_t heap_bytes = std::uint64_t{6} << 30;
inline constexpr std::uint64_t stack_bytes = bytes - heap_bytes;

// What threads map without saying where (hooks/memory/mappings.cpp) lies elsewhere, in a zone of the same place.
inline constexpr std::uint64_t mappings = 0x100000000000;
inline constexpr std::uint64_t mapping_bytes = std::uint64_t{1} << 32;
static_assert(mappings + count * mapping_bytes <= base);
constexpr bool is_mapped(std::uint64_t address) { return address - mappings < count * mapping_bytes; }
constexpr std::uint64_t mappings_of(std::uint32_t index) { return mappings + index * mapping_bytes; }

constexpr std::uint64_t start_of(std::uint32_t index) { return base + index * bytes; }
constexpr std::uint64_t end_of(std::uint32_t index) { return start_of(index) + bytes; }
constexpr bool contains(std::uint64_t address) { return address - base < count * bytes; }
constexpr std::uint32_t index_of(std::uint64_t address) { return static_cast<std::uint32_t>((address - base) / bytes); }

// The place a name wishes for; the caller goes on from there to the next free one.
constexpr std::uint32_t preferred_index(ThreadId parent, std::uint32_t number) {
    if (parent.code == 0 && number < direct) return number;
    if (number < 32)
        for (std::uint32_t n = 1; n < 32; ++n)
            if (parent == child_of(main_thread, n)) return direct + n * 32 + number;
    const std::uint64_t hash = mix64(parent.code * 0x9e3779b97f4a7c15ULL + number);
    return direct + grandchildren + static_cast<std::uint32_t>(hash % (count - direct - grandchildren));
}

}  // namespace raddle::thread_arena
