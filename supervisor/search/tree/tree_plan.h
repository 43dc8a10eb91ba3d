// The plan of an execution that the search over a tree wants.
#pragma once

#include "supervisor/model/machine.h"
#include "supervisor/search/target.h"
#include "supervisor/search/tree/tree_search.h"

namespace raddle {

// Its prefix and its sleeping steps, with names that hold in every process. The machine is that of the search's track.
Plan plan_of(const TreePlan& tree, const Machine& machine);

}  // namespace raddle
