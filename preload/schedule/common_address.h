// The one address of memory that several mappings share (shared_memory.h keeps the mappings).
#pragma once

#include <cstdint>

#include "preload/base/fixed_memory.h"

namespace raddle::shared_memory {

extern bool any;  // there is such a mapping, or an object that other processes can find by name
std::uint64_t find_common_address(std::uint64_t address);

// An address that stands for the same byte in every mapping of a file; the given one outside of such mappings.
inline std::uint64_t common_address(std::uint64_t address) { return any ? find_common_address(address) : address; }
// No memory lies at these addresses.
inline constexpr std::uint64_t common_begin = fixed_memory::common, common_end = fixed_memory::tables;
constexpr bool is_common(std::uint64_t address) { return address - common_begin < common_end - common_begin; }

}  // namespace raddle::shared_memory
