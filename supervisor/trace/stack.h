// A stack of a thread, with the names of its functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle {

struct Frame {
    std::string function;  // demangled; empty: unknown
    std::string file;      // from the debug information; empty: there is none
    unsigned line = 0;
    std::string module;        // file name of the program or library
    std::uint64_t offset = 0;  // of the instruction, in the module
    bool inlined = false;      // into the frame after it

    friend bool operator==(const Frame&, const Frame&) = default;
};

// Innermost first.
using Stack = std::vector<Frame>;

}  // namespace raddle
