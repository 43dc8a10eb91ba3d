// Copies of functions. A copy has all instructions of its function in their order, and a check before each armed
// access. Direct branches of the function lead to copies; everything else leads into the original code.
#pragma once

#include "preload/memory/copies/area.h"

namespace raddle::memory::copies {

// The most memory that the copies of a module can take.
std::uint64_t room_for(const InstrumentedModule& module);
// Writes the copies of the functions that are planned (patch_plan.h). False if some address is out of reach.
bool write_copies(Area& area);
// Leads the original code to them. It must be writable.
void patch_originals(Area& area);
// The original of an instruction in the area.
std::uint64_t original_in(const Area& area, std::uint64_t instruction);

}  // namespace raddle::memory::copies
