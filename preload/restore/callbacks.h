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

// intercept/interpose.cpp: looks up all intercepted functions of libc at once, without the program's heap.
void resolve_all();

}  // namespace raddle
