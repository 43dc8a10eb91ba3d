// The bound of a graph: the least number of preemptions over all its linearisations. The problem is NP-complete
// (Musuvathi, Qadeer, MSR-TR-2007-12). The search tries one bound after another, depth first, and remembers failed
// nodes by (set of done events, last thread). The first descent lets each thread run on and settles most graphs.
#pragma once

#include <optional>

#include "supervisor/trace/step_log.h"
#include "supervisor/trace/track.h"

namespace raddle {

// The bound of the graph on the track. It takes the track apart and rebuilds it. Gives up after `effort` steps.
std::optional<std::uint32_t> least_preemptions(Track& track, std::uint64_t effort = 1'000'000);

}  // namespace raddle
