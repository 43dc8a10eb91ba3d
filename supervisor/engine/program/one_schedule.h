// The strategy that runs one given schedule, once.
#pragma once

#include <memory>

#include "supervisor/search/strategy.h"

namespace raddle {

std::unique_ptr<Strategy> make_one_schedule(Schedule schedule, const StrategyOptions& options);

}  // namespace raddle
