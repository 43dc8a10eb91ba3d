// Finds the decisive switch. Among the executions that reverse one race of a failing execution, it looks for a passing
// one that shares the longest beginning with the failing one.
#pragma once

#include <chrono>
#include <optional>

#include "supervisor/search/target.h"

namespace raddle {

struct StepName {
    ThreadId thread{};
    std::uint32_t number = 0;  // counts the events of its thread, starting at 1
    Action action{};
};

struct NearestPassing {
    Execution execution;
    std::size_t shared = 0;  // number of equal steps at the beginning
    StepName first, second;  // of the failing execution: it passes if `second` comes before `first`
};

struct NearestOptions {
    MachineOptions machine;
    std::uint64_t max_steps = 0;
    std::size_t most_executions = 200;
    std::size_t most_hangs = 2;  // each lasts as long as the watchdog waits
    std::chrono::milliseconds most_time{1000};
};

// Nothing if the limits are reached first.
std::optional<NearestPassing> find_nearest_passing(Target& target, const Execution& failing,
                                                   const NearestOptions& options);

}  // namespace raddle
