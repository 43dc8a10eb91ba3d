// A search over what may turn out to be larger than it was: when the visible set grows, everything learned is void, and the
// search begins anew on the larger one. Nothing is claimed but what was learned since it grew last.
#pragma once

#include <functional>

#include "supervisor/search/strategy.h"
#include "supervisor/search/target.h"

namespace raddle {

std::unique_ptr<Strategy> make_restarting_search(std::function<std::unique_ptr<Strategy>()> make, std::shared_ptr<VisibleSet> visible_set);

}  // namespace raddle
