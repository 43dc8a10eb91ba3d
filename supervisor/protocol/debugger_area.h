// Where a debugger and the supervisor talk to each other: it lies in the channel's file, behind the channel and the area
// for stacks, and is memory of the target. So whoever can write to the target's memory can ask, through gdbserver, too.
//
// A question: text, then `asked` is one more; the supervisor writes the answer and makes `answered` the same number.
// `launch_wanted` and `launch_ready` go the same way, between the process that is to become the target and the
// supervisor, which writes the plan anew before each execution.
// The debugger's part (cli/gdb_commands.py) reads this by offsets: a change there is one here, and of the version in
// preload/debug/debugger.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::channel {

inline constexpr std::uint32_t most_question = 232;
inline constexpr std::uint32_t most_answer = 1u << 20;

struct DebuggerArea {
    std::uint32_t asked;
    std::uint32_t answered;
    std::uint32_t answer_bytes;
    std::uint32_t launch_wanted;
    std::uint32_t launch_ready;
    std::uint32_t launch_refused;   // it cannot be prepared; the supervisor said why
    char question[most_question];
    char answer[most_answer];
};

static_assert(offsetof(DebuggerArea, question) == 24 && offsetof(DebuggerArea, answer) == 256);

}  // namespace raddle::channel
