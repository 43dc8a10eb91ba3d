// Happens-before between steps, reduced to the fewest arrows.
#pragma once

#include <vector>

#include "replay/explain/explanation.h"
#include "supervisor/trace/track.h"

namespace raddle {

// The transitive reduction of happens-before among the events at `positions` (in order), without the arrows inside one
// thread.
std::vector<Order> arrows_between(const Track& track, const std::vector<Position>& positions);

}  // namespace raddle
