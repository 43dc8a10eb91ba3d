// The bound of a graph: the least number of preemptions over all its linearisations. Finding it is NP-complete, so it
// is searched for depth first with what failed remembered by (cut, last thread), one bound after another; most graphs
// are settled by the first descent, which lets each thread run on.
#pragma once

#include <optional>

#include "supervisor/trace/step_log.h"
#include "supervisor/trace/track.h"

namespace raddle {

// Of the graph on the track, which is taken apart and built again. Nothing if that would take more than `effort` steps.
std::optional<std::uint32_t> least_preemptions(Track& track, std::uint64_t effort = 1'000'000);

}  // namespace raddle
