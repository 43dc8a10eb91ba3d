// The watched places that threads pass between their actions, for the supervisor (supervisor/protocol/code_label.h).
#pragma once

#include "preload/schedule/callbacks.h"

namespace raddle::memory::passed_code {

// The running thread passes a watched instruction or call.
void note(std::uint32_t site);
// The running thread frees a block by this call.
void note_free(std::uint64_t site, std::uint64_t bytes);

// The name of a call for the supervisor, when the running thread makes it first; 0 if it was noted or is visible.
// reported_calls.cpp defines this.
std::uint64_t call_of(std::uint32_t number);

}  // namespace raddle::memory::passed_code
