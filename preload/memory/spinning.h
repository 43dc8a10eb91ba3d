// Recognises threads that read the same memory again and again, and lets them wait until it changes. spinning.cpp tells
// how.
#pragma once

#include "preload/memory/state.h"

namespace raddle::memory::spinning {

// Before a read is announced: adds to the action the values with which the thread would only come back. If the thread
// has come round several reads, it waits here.
void before_read(const ReadableState& readable, std::uint64_t address, std::uint64_t bytes, Action& action);
// After the read. `changed`: the access changed memory.
void after_read(const Action& action, const ActionOutcome& outcome, bool changed);
// More: is_mistaken() in preload/schedule/callbacks.h.

}  // namespace raddle::memory::spinning
