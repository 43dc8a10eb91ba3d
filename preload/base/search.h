// Binary search in sorted rows.
#pragma once

#include <cstdint>

namespace raddle {

// The number of the first row that does not come before the wanted one; `count` if all do. `before(row)`: whether row
// number `row` comes before the wanted one.
template <typename Before>
inline std::uint32_t first_not_before(std::uint32_t count, Before&& before) {
    std::uint32_t low = 0, high = count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace raddle
