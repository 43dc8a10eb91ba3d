// The area in which the shim leaves stacks for explaining an execution, if Settings::take_stacks asks for it. The shim
// copies the registers and the stack of each thread that announces an action or crashes, and of each call that
// allocates or frees a heap block. The supervisor unwinds them later from the program's files: the shim decodes
// nothing.
//
// The area lies in the channel's file, behind the channel. Its arrays are rings that keep the newest entries. A
// thread's last snapshot tells where the thread waits, so it is never overwritten.
#pragma once

#include "supervisor/model/types.h"

namespace raddle::channel {

inline constexpr std::uint32_t most_snapshots = 4096;
inline constexpr std::uint32_t most_stack_bytes = 32768;
inline constexpr std::uint32_t most_block_notes = 16384;
inline constexpr std::uint32_t most_note_stack_bytes = 2048;
inline constexpr std::uint32_t register_count =
    17;  // in the order of DWARF: rax rdx rcx rbx rsi rdi rbp rsp r8-r15 rip

// The registers and the stack of one thread.
struct Snapshot {
    ThreadId thread;
    std::uint32_t number;       // the number of the thread's next event, counted from 1
    std::uint32_t stack_bytes;  // from the stack pointer up
    std::uint64_t registers[register_count];
    std::uint64_t counted_from;  // top of the stack; names of objects on the stack count down from it
    unsigned char stack[most_stack_bytes];
};

// A heap block was allocated or freed.
struct BlockNote {
    ObjectId begin;
    std::uint64_t bytes;
    ThreadId thread;  // the thread that allocated or freed it
    std::uint32_t is_free;
    std::uint32_t stack_bytes;
    std::uint64_t registers[register_count];
    unsigned char stack[most_note_stack_bytes];
};

// See the page top.
struct StackArea {
    std::uint64_t snapshots_taken;  // the n-th is in snapshots[n % most_snapshots], or shortly after
    std::uint64_t notes_taken;
    std::uint32_t crashed;  // `crash` is filled in
    std::uint32_t reserved;
    alignas(4096) Snapshot crash;
    alignas(4096) Snapshot snapshots[most_snapshots];
    alignas(4096) BlockNote notes[most_block_notes];
};

}  // namespace raddle::channel
