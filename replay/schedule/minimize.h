// Simplifies a schedule for people. Among the schedules that show the same bug it looks for the fewest preemptions,
// then the fewest switches, then the fewest steps, within its budget.
//
// The bounded search itself looks for fewer preemptions, so "no fewer" is proven if it ends. After that, minimize()
// moves pieces of the schedule together, or lets a thread run on.
#pragma once

#include <chrono>
#include <functional>

#include "replay/schedule/proof.h"

namespace raddle {

struct MinimizeOptions {
    StrategyOptions search;  // the options of the search that found the schedule
    std::uint64_t max_executions = 300;
    std::chrono::milliseconds max_time{400};
    bool fewest_known = false;  // already proven: no schedule with fewer preemptions shows it
    std::function<bool()> give_up = [] { return false; };
};

struct MinimizeResult {
    Execution execution;  // an execution that shows the bug
    Cost cost;
    bool fewest = false;  // proven: no schedule with fewer preemptions shows it
    std::uint64_t executions = 0;
};

// `shows_it` is an execution with the bug.
MinimizeResult minimize(Target& target, const Execution& shows_it, const MinimizeOptions& options);

}  // namespace raddle
