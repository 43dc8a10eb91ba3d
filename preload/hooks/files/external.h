// External waits: another process decides when they end. Examples: a pipe that a child writes to becomes readable, or
// a child ends. While a thread waits in this way, the kernel is asked before each scheduling decision. The process
// really waits only if no thread can go on.
#pragma once

#include <poll.h>

#include "preload/schedule/callbacks.h"

namespace raddle::external {

// The scheduler calls update_readiness() once `used` is set: preload/schedule/callbacks.h.

// The true target of a pending wait: any of the descriptors, or the condition. It is valid until
// the thread announces its next action.
struct Wait {
    pollfd* descriptors = nullptr;
    int count = 0;
    bool (*condition)(void* argument) = nullptr;
    void* argument = nullptr;
    pollfd own{};
};
Wait& wait_of(const Thread& thread);

}  // namespace raddle::external
