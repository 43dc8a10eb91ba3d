// The kernel's futexes, and queues of the shim's own that work the same way.
#pragma once

#include "supervisor/model/operation.h"

namespace raddle::futex {

using Word = std::uint32_t;

// As the system call: a negative error number if it fails.
long call(const Word* word, int command, Word value, const void* time_or_count, const Word* other, Word value3);

// Waiting for something that only the shim knows: act(look), then, if there is nothing to be seen, act(sleep_in).
// Whoever changes what is to be seen acts wake_all, and changes it directly after.
Action check(const ObjectId& queue);
Action wait_in(const ObjectId& queue);
Action wake_all(const ObjectId& queue);

}  // namespace raddle::futex
