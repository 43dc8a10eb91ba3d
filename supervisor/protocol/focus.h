// The focus: the code of the program in which raddle makes choices. A thread is inside as long as a call or an access
// of this code is on its stack (preload/schedule/focus.h). The supervisor finds the code by names and tells the shim
// the address ranges.
#pragma once

#include <cstdint>

namespace raddle::channel {

inline constexpr std::uint32_t most_focus_modules = 64;
inline constexpr std::uint32_t most_focus_ranges = 1u << 14;

struct FocusRange {
    std::uint64_t begin, end;  // from the load address of the module
};

struct FocusModule {
    char path[256];  // as the loader has it; empty: the executable
    std::uint32_t first_range, range_count;
};

struct Focus {
    std::uint32_t module_count, range_count;
    FocusModule modules[most_focus_modules];
    FocusRange ranges[most_focus_ranges];
};

}  // namespace raddle::channel
