// The quick check of a watched access to one operand of 1, 2, 4 or 8 bytes, for programs whose stacks are not followed.
// It lets an access pass that filter.cpp would let pass, and leads all others to entry.cpp.
#pragma once

#include "supervisor/protocol/patches.h"

namespace raddle::memory::check {

// A check. It expects the operand's address in rcx, the number of the site in edx, and
// on the stack the original rdx, the original rcx and 128 bytes of red zone. It returns to the code that pops these, of
// length `restore_bytes`, with the copied instruction behind it.
using Function = void (*)();
inline constexpr std::uint32_t restore_bytes = 10;
inline constexpr std::uint32_t kinds = 8;
// The number of the check, below `kinds`.
inline std::uint32_t kind_of(std::uint32_t bytes, bool writes) {
    return (bytes == 8 ? 3u : bytes == 4 ? 2u : bytes == 2 ? 1u : 0u) + (writes ? 4u : 0u);
}
Function function_of(std::uint32_t kind);

}  // namespace raddle::memory::check
