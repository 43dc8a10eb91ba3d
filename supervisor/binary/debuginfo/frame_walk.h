// The frames of a stack in memory that belongs to somebody else: a stopped process, or a recorded stack. libunwind does
// the work. It sees registers and memory only through the functions given here, so it opens no file that the target
// names, and damaged tables can neither crash it nor keep it busy.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "supervisor/protocol/stack_area.h"

namespace raddle {

// Code of one file, as it is mapped.
struct MappedCode {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t unwind_table = 0;  // the address of its .eh_frame_hdr; 0: it has none
};

// Reads the word at an address that is a multiple of eight. False if there is none.
using ReadWord = std::function<bool(std::uint64_t address, std::uint64_t& word)>;
using Registers = std::array<std::uint64_t, channel::register_count>;  // in the order of DWARF

struct WalkedFrames {
    std::vector<std::uint64_t>
        instructions;         // innermost first; of a caller, the call. The first is where the thread stands
    bool to_the_end = false;  // the outermost frame was reached
};
WalkedFrames walk_frames(const Registers& registers, const std::vector<MappedCode>& code, const ReadWord& read);

}  // namespace raddle
