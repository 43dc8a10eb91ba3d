// The outcome of a run in words that mean the same natively and under raddle.
#pragma once

#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/native/delayed_run.h"

namespace raddle::testing {

// "exit 3: ab" with the standard output; "abort" or "crash" without it, because the kernel may lose what was buffered.
std::string outcome_of(const NativeRun& run);

struct ExploredOutcomes {
    std::set<std::string> all;
    bool anything_goes = false;  // misuse: natively the program may do anything then
};

// From raddle run --json --outcomes.
ExploredOutcomes explored_outcomes(const nlohmann::json& result);

// True if raddle claims that it explored every schedule.
bool claims_every_schedule(const nlohmann::json& result);

}  // namespace raddle::testing
