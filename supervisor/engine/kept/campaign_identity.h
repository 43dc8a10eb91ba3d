// The identity of a campaign, made of the table of settings: what its search learned holds for this identity alone.
#pragma once

#include <functional>

#include "store/identity.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"
#include "supervisor/search/strategy.h"

namespace raddle {

Identity campaign_identity(const Settings& settings, const ProcessOptions& process, const std::string& strategy);

// The value of a setting in an identity: the one that holds, which need not be the one that was given. Empty: none.
std::string identity_value(const SettingRow& row, const Settings& settings, const ProcessOptions& process, const std::string& strategy);

// The options that a saved search depends on, by their values in an identity.
using IdentityValue = std::function<std::string(SettingName)>;
StrategyOptions search_options(const IdentityValue& value_of);
StrategyOptions search_options(const Identity& identity);

}  // namespace raddle
