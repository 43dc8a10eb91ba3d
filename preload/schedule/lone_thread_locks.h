// Locks of a main thread that is still alone. Everything it does comes before whatever other threads will do, so taking
// a lock and releasing it again has no effect on them. Yet some libraries do that a million times as they start
// (libcrypto). After `events_before` events such pairs are therefore no events any more: the lock is only noted, and
// becomes an event if the thread does something else before it releases the lock.
#pragma once

#include "supervisor/model/machine.h"

namespace raddle::lone_thread_locks {

// Whether this action takes or releases a lock without an event. `events`: recorded so far. The action then succeeds as
// usual and need not be performed.
bool is_no_event(const Action& action, const Machine& machine, std::uint32_t events);

// The scheduler turns the noted locks into events: start_recording(), each of held(), end_recording(). False if there
// is nothing to record, or recording is under way.
bool start_recording();
std::uint32_t held_count();
const Action& held(std::uint32_t index);
void end_recording();

}  // namespace raddle::lone_thread_locks
