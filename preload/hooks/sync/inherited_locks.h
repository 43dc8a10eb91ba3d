// A forked child has one thread, and mutexes that its parent's other threads held: nobody will ever let them go there.
#pragma once

#include "preload/threads/thread.h"

namespace raddle::inherited {

// In the child, of the machine as it was. From then on that it takes a mutex is noted, if there were other threads: whether
// they had it is up to when the fork came, which is no action.
void note(const Machine& machine, ThreadSlot forker);
// In its new machine: what the forker held, it holds.
void take(Machine& machine, ThreadSlot thread);
// Whether this action waits for one of them, for ever; who makes such a mutex anew, or lets go of it all the same, has it.
bool blocks(const Action& action);

}  // namespace raddle::inherited
