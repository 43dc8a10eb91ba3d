// The kernel's futexes, and queues of the shim that work in the same way.
#pragma once

#include <cstdint>

#include "supervisor/model/action.h"

namespace raddle::futex {

// Returns as the system call does: a negative number is an error.
long call(const std::uint32_t* word, int command, std::uint32_t value, const void* time_or_count,
          const std::uint32_t* other, std::uint32_t value3);

// Actions to wait for a state that only the shim knows: act(check(queue)), test the state, and act(wait_in(queue)) if
// it is not as wanted. A change of the state is preceded by act(wake_all(queue)).
Action check(const ObjectId& queue);
Action wait_in(const ObjectId& queue);
Action wake_all(const ObjectId& queue);

}  // namespace raddle::futex
