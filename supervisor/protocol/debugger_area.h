// The area in which a debugger and the supervisor talk to each other. It lies in the channel's file, behind the channel
// and the area for stacks, and is mapped in the program. Anybody who can write to the program's memory can ask, also
// through gdbserver.
//
// A question goes like this. The debugger writes a text to `question` and adds one to `asked`. The supervisor writes
// the answer and sets `answered` to the same number. `launch_wanted` and `launch_ready` work in the same way: the
// process that becomes the program asks, and the supervisor writes the plan again before each execution.
//
// cli/gdb_commands/shim.py reads this area by offsets. A change of the layout changes that file, too, and the version
// in preload/debug/debugger.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::channel {

inline constexpr std::uint32_t most_question = 232;
inline constexpr std::uint32_t most_answer = 1u << 20;

// See the page top. Offsets are part of the contract with shim.py.
struct DebuggerArea {
    std::uint32_t asked;
    std::uint32_t answered;
    std::uint32_t answer_bytes;
    std::uint32_t launch_wanted;
    std::uint32_t launch_ready;
    std::uint32_t launch_refused;  // the launch cannot be prepared; the supervisor has printed the reason
    char question[most_question];
    char answer[most_answer];
};

static_assert(offsetof(DebuggerArea, question) == 24 && offsetof(DebuggerArea, answer) == 256);

}  // namespace raddle::channel
