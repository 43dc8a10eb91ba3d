// The sizes of small blocks. A request gets the next size that is not smaller.
#pragma once

#include <cstddef>

namespace raddle {

inline constexpr std::size_t largest_small = 16384;
inline constexpr unsigned class_count = 8 + 4 * 7;  // 16 to 128 in steps of 16, then four per doubling up to 16 KiB

constexpr unsigned class_of(std::size_t bytes) {
    if (bytes <= 128) return bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / 16);
    const unsigned log = 63 - static_cast<unsigned>(__builtin_clzll(bytes - 1));  // 128 < bytes: log >= 7
    const std::size_t quarter = std::size_t{1} << (log - 2);
    return 8 + (log - 7) * 4 + static_cast<unsigned>((bytes - 1 - (std::size_t{1} << log)) / quarter);
}
constexpr std::size_t bytes_of(unsigned size_class) {
    if (size_class < 8) return (size_class + 1) * 16;
    const unsigned log = 7 + (size_class - 8) / 4;
    return (std::size_t{1} << log) + ((size_class - 8) % 4 + 1) * (std::size_t{1} << (log - 2));
}
static_assert(bytes_of(class_of(largest_small)) == largest_small && class_of(largest_small) == class_count - 1);
static_assert(bytes_of(class_of(129)) == 160 && bytes_of(class_of(128)) == 128 && bytes_of(class_of(161)) == 192);

}  // namespace raddle
