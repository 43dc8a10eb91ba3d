// Memory that belongs to the shim in every process: the address range of its own tables, which no code of the program
// reads, and the marks that it leaves in locks of the program.
#pragma once

#include <cstdint>

namespace raddle::shim_memory {

inline constexpr std::uint64_t begin = 0x500000000000;
inline constexpr std::uint64_t end = 0x520000000000;
constexpr bool contains(std::uint64_t address) { return address - begin < end - begin; }

inline constexpr std::uint64_t mutex_mark = 0x5ad1;      // in __spins, the upper half of a word
inline constexpr std::uint64_t rwlock_mark = 0x5add1e5;  // in __pad4
// Two words that differ only by such a mark.
constexpr bool differ_by_mark(std::uint64_t one, std::uint64_t other) {
    const std::uint64_t difference = one ^ other;
    return difference == mutex_mark << 32 || difference == rwlock_mark || difference == rwlock_mark << 32;
}

}  // namespace raddle::shim_memory
