// The judging rules of a campaign. New rules are no new campaign, as the executions are the same. Each run judges the
// known bugs by its own rules, and reports the number of executions that passed by weaker rules.
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
