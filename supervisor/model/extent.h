// The bytes of a variable that one access touches. Accesses of several widths that overlap form one variable, named by
// its first byte. Their contents are unknown to the machine (flag::contents_unknown), and the action holds the bytes.
#pragma once

#include "supervisor/model/action.h"

namespace raddle {

struct Extent {
    std::uint64_t first = 0, bytes = 0;

    constexpr bool overlaps(const Extent& other) const {
        return first < other.first + other.bytes && other.first < first + bytes;
    }
};

inline constexpr std::uint64_t max_extent = 0xffff;

constexpr std::int64_t packed(const Extent& extent) {
    return static_cast<std::int64_t>(extent.first << 16 | (extent.bytes & max_extent));
}

constexpr Extent extent_of(const Action& action) {
    if ((action.flags & flag::contents_unknown) == 0) return {0, width_of(action.attributes)};
    const auto packed = static_cast<std::uint64_t>(action.packed_extent());
    if (packed == 0) return {0, max_extent};  // not told: all of it
    return {packed >> 16, packed & max_extent};
}

}  // namespace raddle
