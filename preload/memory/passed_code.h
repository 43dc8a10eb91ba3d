// The watched places that threads pass between their actions, for the supervisor (supervisor/protocol/code_label.h).
#pragma once

#include "preload/schedule/callbacks.h"

namespace raddle::memory::passed_code {

// The running thread passes a watched instruction or call.
void note(std::uint32_t site);
// The running thread frees a block by this call.
void note_free(std::uint64_t site, std::uint64_t bytes);

}  // namespace raddle::memory::passed_code
