// Repeats one schedule and compares: in the same process of the program, then in other launches of it.
#pragma once

#include <functional>
#include <optional>

#include "replay/schedule/divergence_file.h"
#include "supervisor/engine/program/target_pool.h"

namespace raddle {

struct Repetitions {
    Across across = Across::executions;
    unsigned runs = 0;      // after the first
    unsigned differed = 0;  // from the first
    Execution first;
    std::optional<Execution> other;  // the first that differed
    std::size_t step = 0;            // where it did, counted from 1

    bool is_same() const { return runs > 0 && differed == 0; }
};

// Stops early if `is_over`. Throws CannotRun.
Repetitions repeated(const ProcessOptions& process, const VerdictRules& rules, const Schedule& schedule, Across across,
                     unsigned runs, const std::function<bool()>& is_over);

// The plan that repeats this schedule, up to its end or up to this step.
Plan plan_of(const Schedule& schedule, const ProcessOptions& process);
Plan plan_until(const Schedule& schedule, std::size_t steps, const ProcessOptions& process);

// Options for executions that only serve to find something out.
ProcessOptions quiet(ProcessOptions process);

}  // namespace raddle
