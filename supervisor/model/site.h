// Site codes (Action::site): a place in the program's code as one number, the same in every run. The module's number
// plus one is in the upper 16 bits, the offset in the module below; 0 stands for no known place.
#pragma once

#include <cstdint>

namespace raddle::site_code {

inline constexpr unsigned offset_bits = 48;

constexpr std::uint64_t of(std::uint32_t module, std::uint64_t offset) {
    return (std::uint64_t{module} + 1) << offset_bits | (offset & ((std::uint64_t{1} << offset_bits) - 1));
}
constexpr bool has_module(std::uint64_t code) { return code >> offset_bits != 0; }
// Only if has_module(code).
constexpr std::uint32_t module_of(std::uint64_t code) { return static_cast<std::uint32_t>((code >> offset_bits) - 1); }
constexpr std::uint64_t offset_of(std::uint64_t code) { return code & ((std::uint64_t{1} << offset_bits) - 1); }

}  // namespace raddle::site_code
