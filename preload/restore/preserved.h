// Data that survives when a process is put back to its start: the image of its memory, the point to continue from, and
// the stack on which the restore runs. It lies at a fixed address, and the fork server maps it before it forks.
#pragma once

#include "preload/restore/checkpoints.h"
#include "preload/restore/memory_image.h"
#include "supervisor/protocol/channel.h"

namespace raddle::restore {

struct Preserved {
    void* registers;        // the registers saved on main's stack
    std::uint64_t left_at;  // the stack pointer of the thread that ended the execution
    long process;
    long server;
    std::uint32_t request;  // the request being carried out
    channel::Result result_at_start;
    channel::ThreadRow main_at_start;
    std::uint32_t modules_at_start;
    std::uint64_t next_checkpoint;  // after so many steps
    std::uint64_t last_checkpoint;  // that this execution keeps
    SavedRegisters kept_registers;  // of the checkpoint that is being made
    MemoryImage image;
    Checkpoints checkpoints;
    alignas(16) unsigned char stack[1 << 18];

    unsigned char* stack_top() { return stack + sizeof stack; }
};

Preserved* preserved();  // null if there is no memory for it, or nothing is restored
bool map_preserved();

// In a child of the server, at the fork point. Returns once for every plan that the child runs.
void become_restorable();

}  // namespace raddle::restore
