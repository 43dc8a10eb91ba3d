// Executions that a first limit of steps cut. Their plans come again with more steps (search/around/rising_steps.h).
#pragma once

#include "supervisor/trace/execution.h"

namespace raddle {

// Such an execution is no result. Other cuts by a limit, such as too many accesses to memory, come again with any limit
// of steps.
inline bool is_postponed(const Plan& plan, const Execution& execution) {
    return plan.comes_again && execution.verdict == Verdict::step_limit && !execution.is_void &&
           execution.events.size() >= plan.max_steps;
}

}  // namespace raddle
