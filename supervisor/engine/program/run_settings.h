// The settings of a search: the strategy they choose, the budget, and which of them do not go together.
#pragma once

#include <string>

#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/search/strategy.h"

namespace raddle {

// The strategy that is given, or the default for the other settings.
std::string strategy_name(const Settings& settings);
const StrategyRow& strategy_row(const std::string& name);

// Throws BadInput for settings that exclude each other, and for those that would change nothing: the user expected
// something of them. In a configuration they are for other runs: they are left out.
void settle_combinations(Settings& settings);

// The jobs and the budget.
CampaignOptions campaign_options(const Settings& settings);

// The schedule that --schedule gives: "T0*4 T1", or @FILE. Throws BadInput.
Schedule given_schedule(const std::string& text);

}  // namespace raddle
