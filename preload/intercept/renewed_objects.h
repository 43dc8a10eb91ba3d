// Destroyed synchronisation objects whose memory becomes a new object without a call, as with std::mutex,
// std::condition_variable and static initialisers. The thread that writes the new object announces it, before its next
// action. If the first user did, the actions of a thread would depend on whether another one was there before.
#pragma once

#include "supervisor/model/operation.h"

namespace raddle::renewed_objects {

// The object at this address was destroyed, and its memory tells: a mark is in it (describe.h), or it was freed.
void watch(Kind kind, const void* address);
// A call initialises the object.
void forget(const void* address);

}  // namespace raddle::renewed_objects
