// Decides where control leaves the original code of a module for the copies.
//
// A run is a sequence of instructions that control enters at the first one only. If the run has five bytes, a jump
// replaces its beginning, and the rest never runs any more. A shorter run begins with a short jump, if bytes that never
// run are near: a jump to the copy lies there. Otherwise each armed access of the run becomes a breakpoint.
#pragma once

#include "preload/memory/copies/area.h"

namespace raddle::memory::copies {

// Fills the rows of the module's functions. `may_move`: false beside a debugger.
void plan(const Area& area, bool may_move);
// Whether the access site is followed now.
bool is_to_be_armed(std::uint32_t site);

}  // namespace raddle::memory::copies
