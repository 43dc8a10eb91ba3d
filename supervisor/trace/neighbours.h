// Two neighbours on a path that commute, and the order of them that is preferred: the peephole reduction (Wang, Yang,
// Kahlon, Gupta, TACAS 2008, section 3.2).
#pragma once

#include "supervisor/trace/track.h"

namespace raddle {

// The last two events commute, and the thread with the smaller name should have come first.
bool has_neighbours_to_swap(const Track& track);

}  // namespace raddle
