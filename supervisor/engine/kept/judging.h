// The rules of judging that a campaign keeps: another rule is no other campaign, as the executions are the same. Bugs are
// judged anew by the rules of the run; executions that passed by other rules are counted and said.
#pragma once

#include <string>
#include <vector>

#include "store/campaign_store.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

// The judging settings, as the store keeps them.
std::string judging_rules(const Settings& settings);
// "--expect-exit 3", "the default rules"
std::string words_of_rules(const std::string& rules);

// Whether an execution that passes by `old` passes by `now`, too.
bool is_at_least_as_strict(const std::string& old, const std::string& now);

// The executions that were judged by weaker rules than the current ones, a line for each set of rules.
std::vector<std::string> judged_otherwise(const CampaignStore& store);

}  // namespace raddle
