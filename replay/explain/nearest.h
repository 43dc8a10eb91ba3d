// The decisive switch: of the executions near a failing one, the one that passes and shares its longest beginning with
// it; it comes of turning round one ordering of two steps that race.
#pragma once

#include <chrono>
#include <optional>

#include "supervisor/search/target.h"

namespace raddle {

struct StepName {
    ThreadId thread{};
    std::uint32_t number = 0;   // it is its thread's n-th, starting at 1
    Action action{};
};

struct NearestPassing {
    Execution execution;
    std::size_t shared = 0;     // steps at the beginning that are the same
    StepName first, second;     // of the failing execution: it passes if the second comes before the first
};

struct NearestOptions {
    MachineOptions machine;
    std::uint64_t max_steps = 0;
    std::size_t most_executions = 200;
    std::chrono::milliseconds most_time{1000};
};

// Nothing if none was found within the limits.
std::optional<NearestPassing> find_nearest_passing(Target& target, const Execution& failing, const NearestOptions& options);

}  // namespace raddle
