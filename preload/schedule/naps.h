// Naps let time pass for a thread that works or polls a clock. A nap is a sleep that the shim adds: an action, with the
// rules of all sleeps. It depends on the thread's own past only, so equal pasts have equal times.
//   * A thread that reads the clock again and again, without any other action, naps at every 200th reading.
//   * With the setting `naps` a thread also naps after so many actions, or accesses to memory, without a wait for time
//     as long as its next nap, and at each further reading of a clock. Raddle sets it for programs that would otherwise
//     never end: their threads work until a sleeper, or the clock, says that it is enough.
// Every nap of a thread is ten times as long as the one before, so any sleeper wakes soon.
#pragma once

#include "preload/schedule/callbacks.h"

namespace raddle::scheduler::naps {

// The thread made so many accesses since its last action that `memory::most_accesses` is exceeded. False if it does not
// nap for that.
bool after_accesses(Thread& me);

}  // namespace raddle::scheduler::naps
