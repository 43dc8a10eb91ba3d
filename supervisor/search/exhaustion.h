// Whether all that a program can do is known: every graph is walked by another algorithm than the one that asks.
#pragma once

#include "supervisor/search/walk.h"

namespace raddle {

// Leaves the walk at its beginning.
bool every_graph_is_known(Walk& walk);

}  // namespace raddle
