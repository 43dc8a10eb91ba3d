// A strategy over a visible set that may grow. After growth everything learned is void, since executions have more
// actions than before: the search restarts. It claims only facts learned in the current epoch.
#pragma once

#include <functional>

#include "supervisor/search/strategy.h"
#include "supervisor/search/target.h"

namespace raddle {

std::unique_ptr<Strategy> make_restarting_search(std::function<std::unique_ptr<Strategy>()> make,
                                                 std::shared_ptr<VisibleSet> visible_set);

}  // namespace raddle
