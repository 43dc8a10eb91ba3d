// The explored and the unexplored part of a kept campaign, as lines for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "supervisor/engine/kept/kept_result.h"

namespace raddle {

struct Explored {
    std::vector<std::string> yes;
    std::vector<std::string> no;
};

Explored explored_by(const CampaignStore& store);
// `memory`, `focus`: of the campaign.
Explored explored_in(const KeptResult& kept, const std::string& memory, const std::string& focus);

// The same for the campaign around a bug directory; empty without a campaign.
std::vector<std::string> explored_around(const std::filesystem::path& bug);

}  // namespace raddle
