// What the outside world decides: whether a pipe that a child writes to can be read, whether a child has ended. Asked
// of the kernel before it is decided who goes, and only while some thread waits for such a thing; really waited for
// only when nobody else can go on.
#pragma once

#include <poll.h>

#include "preload/threads/thread.h"

namespace raddle::outside {

// Some thread has waited for the outside: from then on the scheduler looks.
extern bool used;

// What a thread that announces an action on a descriptor waits for in truth: any of the descriptors, or the
// condition. Kept by thread, and good for as long as its pending action is the one it was made for.
struct Awaited {
    pollfd* descriptors = nullptr;
    int count = 0;
    bool (*condition)(void* argument) = nullptr;
    void* argument = nullptr;
    pollfd own{};
};
Awaited& awaited_by(const Thread& thread);

// Tells the machine which of the pending actions are ready. If nobody is, or the plan wants a thread that is not, it
// waits until that changes.
void watch(ThreadSlot planned);

}  // namespace raddle::outside
