// Which steps happen before which, as few arrows as say it all.
#pragma once

#include <vector>

#include "replay/explain/explanation.h"
#include "supervisor/trace/track.h"

namespace raddle {

// Between events of different threads, of those at `positions` (in order): the transitive reduction of happens-before,
// without what the order of each thread says by itself.
std::vector<Order> arrows_between(const Track& track, const std::vector<Position>& positions);

}  // namespace raddle
