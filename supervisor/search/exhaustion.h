// Checks that a search knows everything that a program can do. It walks every graph in memory, with another algorithm
// than the search that asks.
#pragma once

#include <functional>

#include "supervisor/search/walk.h"

namespace raddle {

// True if no schedule leads to an unknown past or to an unseen finished graph. (A graph may consist of known pasts and
// still need more preemptions than were allowed so far.) Leaves the walk at its beginning.
bool every_graph_is_known(Walk& walk, const std::function<bool(const Hash128&)>& seen);

// The same for Independence::values, for waits longer than the patience and with a focus, which the optimal search does
// not support: it runs the bounded search without a bound. The walk has to stand at its beginning.
bool every_view_is_known(Walk& walk, std::size_t memory_limit, const std::function<bool(const Hash128&)>& seen);

}  // namespace raddle
