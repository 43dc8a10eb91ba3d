// Whether all that a program can do is known. Every graph is walked, by another algorithm than the one that asks.
#pragma once

#include <functional>

#include "supervisor/search/walk.h"

namespace raddle {

// True if no schedule leads beyond what is known, nor to a finished graph that was not seen. (A graph can be composed of
// known pasts and still need more preemptions than were allowed so far.) Leaves the walk at its beginning.
bool every_graph_is_known(Walk& walk, const std::function<bool(const Hash128&)>& seen);

// The same where graphs are told apart by what threads saw, so that there are fewer than the optimal search would walk: by
// the bounded search without a bound, which has to begin at the beginning.
bool every_view_is_known(Walk& walk, std::size_t memory_limit, const std::function<bool(const Hash128&)>& seen);

}  // namespace raddle
