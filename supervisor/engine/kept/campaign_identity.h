// The identity of a campaign, from the table of settings. The knowledge of its search is valid for this identity alone.
#pragma once

#include <functional>

#include "store/identity.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"
#include "supervisor/search/strategy.h"

namespace raddle {

Identity campaign_identity(const Settings& settings, const ProcessOptions& process, const std::string& strategy);

// The value of a setting in an identity: the effective value, not always the given one. Empty: none.
std::string identity_value(const SettingRow& row, const Settings& settings, const ProcessOptions& process,
                           const std::string& strategy);

// The options of a saved search, by their values in an identity.
using IdentityValue = std::function<std::string(SettingName)>;
StrategyOptions search_options(const IdentityValue& value_of);
StrategyOptions search_options(const Identity& identity);

}  // namespace raddle
