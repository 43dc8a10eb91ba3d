// The mode of a memory access: a combination of these bits.
#pragma once

#include <cstdint>

namespace raddle::memory {

inline constexpr std::uint8_t reads = 1, writes = 2;

}  // namespace raddle::memory
