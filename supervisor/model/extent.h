// Which bytes of its variable an access to memory touches. A variable that accesses of several widths make up is named
// by its first byte; such accesses have no value (flag::external), and say in `argument2` where they lie.
#pragma once

#include "supervisor/model/operation.h"

namespace raddle {

struct Extent {
    std::uint64_t first = 0, bytes = 0;

    constexpr bool overlaps(const Extent& other) const {
        return first < other.first + other.bytes && other.first < first + bytes;
    }
};

inline constexpr std::uint64_t most_extent = 0xffff;

constexpr std::int64_t packed(const Extent& extent) {
    return static_cast<std::int64_t>(extent.first << 16 | (extent.bytes & most_extent));
}

constexpr Extent extent_of(const Action& action) {
    if ((action.flags & flag::external) == 0) return {0, width_of(action.attributes)};
    const auto packed = static_cast<std::uint64_t>(action.argument2);
    if (packed == 0) return {0, most_extent};  // nobody said: all of it
    return {packed >> 16, packed & most_extent};
}

}  // namespace raddle
