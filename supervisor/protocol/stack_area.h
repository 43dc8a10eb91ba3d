// What the shim leaves for explaining an execution, where it is asked to (Settings::take_stacks): the registers and the
// stack of each thread as it announces an action or crashes, and where heap blocks come from. It lies in the channel's
// file, behind the channel. The supervisor unwinds later, from the program's files: nothing is decoded in the target.
//
// Bounded: rings that keep what is newest. A thread's last snapshot, which tells where it waits, is not overwritten.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::channel {

inline constexpr std::uint32_t most_snapshots = 4096;
inline constexpr std::uint32_t most_stack_bytes = 32768;
inline constexpr std::uint32_t most_block_notes = 16384;
inline constexpr std::uint32_t most_note_stack_bytes = 2048;
inline constexpr std::uint32_t register_count = 17;  // as DWARF numbers them: rax rdx rcx rbx rsi rdi rbp rsp r8-r15 rip

struct Snapshot {
    ThreadId thread;
    std::uint32_t number;           // of this thread's events, starting at 1: the one that it was about to make
    std::uint32_t stack_bytes;      // from the stack pointer up
    std::uint64_t registers[register_count];
    std::uint64_t counted_from;     // the address that objects on this thread's stack are counted from, downwards
    unsigned char stack[most_stack_bytes];
};

// A heap block was given out, or given back.
struct BlockNote {
    ObjectId begin;
    std::uint64_t bytes;
    ThreadId thread;                // that did it
    std::uint32_t is_free;
    std::uint32_t stack_bytes;
    std::uint64_t registers[register_count];
    unsigned char stack[most_note_stack_bytes];
};

struct StackArea {
    std::uint64_t snapshots_taken;  // the n-th is in snapshots[n % most_snapshots], or a little behind
    std::uint64_t notes_taken;
    std::uint32_t crashed;          // `crash` holds
    std::uint32_t reserved;
    alignas(4096) Snapshot crash;
    alignas(4096) Snapshot snapshots[most_snapshots];
    alignas(4096) BlockNote notes[most_block_notes];
};

}  // namespace raddle::channel
