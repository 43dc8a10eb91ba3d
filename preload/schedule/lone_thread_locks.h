// Locks of a main thread that is still alone. All it does comes before whatever others will do, so taking a lock and
// giving it back is of no consequence; yet starting libcrypto up does so a million times. Therefore after a while such
// pairs are no events any more: the taking is noted, and becomes an event if something else is done before the end of it.
#pragma once

#include "supervisor/model/machine.h"

namespace raddle::lone_thread_locks {

// It need not be done, and comes out as usual.
bool is_no_event(const Action& action);
// What was noted and not given back becomes events.
void record_held();

}  // namespace raddle::lone_thread_locks
