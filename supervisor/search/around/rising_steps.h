// A strategy whose executions are cut at a first limit of steps, which rises up to StrategyOptions::max_steps. One
// endless schedule then costs little until everything else that is wanted is done.
//
// Idea: an execution cut at the limit is postponed. For the strategy its plan is still out, so it goes around it. Once
// the strategy wants nothing else and nothing else is out, the limit is multiplied, and the postponed plans go out
// again. If the first few executions are all cut, it is multiplied at once. The strategy learns from an execution that
// ended, or that the last limit cut: it never sees the first limits, and explores and claims the same as without them.
#pragma once

#include <memory>

#include "supervisor/search/strategy.h"

namespace raddle {

std::unique_ptr<Strategy> make_rising_steps(std::unique_ptr<Strategy> strategy, const StrategyOptions& options);

}  // namespace raddle
