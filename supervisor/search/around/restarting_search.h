// A strategy over a visible set that may grow. After growth executions have more actions than before. The search goes
// on with everything that still holds (Strategy::outgrown), or restarts. It claims nothing of an earlier epoch.
#pragma once

#include <functional>

#include "supervisor/search/strategy.h"
#include "supervisor/search/target.h"

namespace raddle {

std::unique_ptr<Strategy> make_restarting_search(std::function<std::unique_ptr<Strategy>()> make,
                                                 std::shared_ptr<VisibleSet> visible_set);

}  // namespace raddle
