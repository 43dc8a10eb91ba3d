// Functions of upper folders that restore/ calls: declared here, defined there (see schedule/callbacks.h).
#pragma once

#include "supervisor/protocol/channel.h"

namespace raddle {

namespace fds {  // hooks/files/descriptors.cpp
// An open descriptor that keeps the process from being forked: one that a copy would share with its parent.
channel::Obstacle obstacle_to_forking();
}  // namespace fds

namespace inline_calls {  // hooks/system/inline_calls.cpp
// Turns on the interception of inline system calls for the calling thread of a new process.
void watch_here();
}  // namespace inline_calls

// memory/checks/filter_changes.cpp: the cache of the filter lies outside the memory that is put back. While there are
// checkpoints, its changes are kept, so that they can be undone.
namespace memory::filter_changes {
std::uint32_t keep();             // from now on; returns their number so far
bool undo(std::uint32_t number);  // those after so many; false if there were too many to keep
void forget();                    // no longer, until keep() is called again
}  // namespace memory::filter_changes

// intercept/interpose.cpp: looks up all intercepted functions of libc at once, without the program's heap.
void resolve_all();

}  // namespace raddle
