// A schedule run once more to be explained: with stacks, and with the nearest execution that passes.
#pragma once

#include <string>
#include <vector>

#include "replay/explain/explanation.h"
#include "replay/explain/race_verdict_target.h"
#include "replay/schedule/replayer.h"
#include "supervisor/campaign/race_watch.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/target_pool.h"

namespace raddle {

struct ToExplain {
    Schedule schedule;
    IsWantedRace race{};                 // if that is what to look for
    std::shared_ptr<RaceWatch> races{};  // if all is well otherwise, these count
    bool fewest_proven = false;          // no schedule with fewer preemptions shows it
    bool with_nearest = true;            // look for the nearest execution that passes, which takes many more
    std::vector<std::string> explored;   // lines on what was and was not
    std::string again;                   // the command line
};

// A recorded bug, run again on the program it was recorded on.
ToExplain to_explain(const Expected& recorded);
// On one that has changed since its schedule is followed as far as it can be recognised, which is said in a line.
struct FollowedToExplain {
    ToExplain what;
    std::string line;
};
FollowedToExplain to_explain_changed(const Expected& recorded, const Recalled& now);

// What counts as a bug, and as passing, the judgement says. Throws what ProcessTarget throws.
Explanation explained(const ProcessOptions& options, const VerdictRules& rules, const ToExplain& what);

// The message of a bug as its explanation has it, which names functions and data; as it is, if it does not show again.
std::string message_in_names(const ProcessOptions& options, const VerdictRules& rules, const IsWantedRace& race, const Finding& bug);

}  // namespace raddle
