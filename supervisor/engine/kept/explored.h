// What a kept campaign has and has not explored, as lines for people.
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
Explored explored_in(const KeptResult& kept, const std::string& memory);

// Of the campaign that a bug's directory lies in; empty if it lies in none.
std::vector<std::string> explored_around(const std::filesystem::path& bug);

}  // namespace raddle
