// A schedule for people to read: of those that show the same bug, one with the fewest preemptions, then the fewest
// switches, then the fewest steps, as far as the budget reaches.
//
// Fewer preemptions are looked for by the bounded search itself, so that "no fewer" is proven where it came to an end;
// then by trying what the schedule becomes when pieces of it are moved together or left to run on.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "replay/schedule/proof.h"

namespace raddle {

struct MinimizeOptions {
    StrategyOptions search;                        // what the schedule was found with
    std::uint64_t max_executions = 300;
    std::chrono::milliseconds max_time{400};
    bool fewest_known = false;                     // no schedule with fewer preemptions shows it: proven already
    std::function<bool()> give_up = [] { return false; };
};

struct Minimized {
    Execution execution;    // shows the bug
    Cost cost;
    bool fewest = false;    // proven: no schedule with fewer preemptions shows it
    std::uint64_t executions = 0;
};

// `shows_it` is an execution that shows it.
Minimized minimize(Target& target, const Execution& shows_it, const MinimizeOptions& options);

}  // namespace raddle
