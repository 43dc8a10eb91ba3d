// What the outside world decides: whether a pipe that a child writes to can be read, whether a child has ended. Asked
// of the kernel before it is decided who goes, and only while some thread waits for such a thing; really waited for
// only when nobody else can go on.
#pragma once

#include <poll.h>

#include "preload/schedule/callbacks.h"

namespace raddle::external {

// `used` and watch(), which the scheduler calls: preload/schedule/callbacks.h.

// What a thread that announces an action on a descriptor waits for in truth: any of the descriptors, or the
// condition. Kept by thread, and good for as long as its pending action is the one it was made for.
struct Wait {
    pollfd* descriptors = nullptr;
    int count = 0;
    bool (*condition)(void* argument) = nullptr;
    void* argument = nullptr;
    pollfd own{};
};
Wait& wait_of(const Thread& thread);

}  // namespace raddle::external
