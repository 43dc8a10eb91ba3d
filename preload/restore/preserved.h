// What a process that is put back to its start must not forget over it: the image of its memory, where to go on, and
// the stack on which the putting back is done. At a fixed place, mapped by the fork server before it forks.
#pragma once

#include "preload/restore/memory_image.h"
#include "supervisor/protocol/channel.h"

namespace raddle::restore {

struct Preserved {
    void* registers;                  // saved on main's stack
    std::uint64_t left_at;            // the stack pointer of the thread that ended the execution
    long process;
    long server;
    std::uint32_t request;            // that is being carried out
    channel::Result result_at_start;
    channel::ThreadRow main_at_start;
    std::uint32_t modules_at_start;
    MemoryImage image;
    alignas(16) unsigned char stack[1 << 18];

    unsigned char* stack_top() { return stack + sizeof stack; }
};

Preserved* preserved();                         // null if there is no memory for it
bool map_preserved();

// In a child of the server, at the fork point: what it comes back from, it does again for every plan.
void become_restorable();

}  // namespace raddle::restore
