// Explains a schedule: runs it once more with stacks, and compares it with the nearest execution that passes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "replay/explain/explanation.h"
#include "replay/explain/race_verdict_target.h"
#include "replay/schedule/replayer.h"
#include "supervisor/campaign/race_watch.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/target_pool.h"

namespace raddle {

// After an interruption, raddle still takes that long for what it is explaining.
inline constexpr std::chrono::milliseconds patience_when_interrupted{400};

struct ToExplain {
    Schedule schedule;
    IsWantedRace race{};                 // the race to look for, if any
    std::shared_ptr<RaceWatch> races{};  // if nothing else fails, these count
    bool fewest_proven = false;          // no schedule with fewer preemptions shows it
    bool with_nearest = true;            // look for the nearest passing execution, which takes many executions
    std::vector<std::string> explored;   // the explored and the unexplored part, as lines
    std::string again;                   // the command line
};

// A recorded bug, run again on the program it was recorded on.
ToExplain to_explain(const Expected& recorded);
// A changed program follows the schedule as far as possible; the line says how far.
struct FollowedToExplain {
    ToExplain what;
    std::string line;
};
FollowedToExplain to_explain_changed(const Expected& recorded, const Recalled& now);

// The rules decide between bug and pass. Throws the errors of ProcessTarget.
Explanation explained(const ProcessOptions& options, const VerdictRules& rules, const ToExplain& what);

// The message of the explanation, with names of functions and data; the plain message if the bug does not show again.
std::string message_in_names(const ProcessOptions& options, const VerdictRules& rules, const IsWantedRace& race,
                             const Finding& bug);

}  // namespace raddle
