// Looks into a divergence at the end of a run: repeats it, finds the word that differed and the likely cause, tries
// settings, and keeps all of it beside the bugs of the campaign (bugs/0001-diverged).
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/launch/process_options.h"

namespace raddle {

struct DivergenceInput {
    const Settings& settings;
    const ProcessOptions& process;
    std::string strategy;
    const StrategyOptions& search;
    std::filesystem::path directory;  // of the bugs; empty: nothing is written
    std::function<bool()> is_over;
};

// Looks into the first divergence of the result, and fills in its parts: `explained`, `minimised` with the sentence in
// names, and `filed`. Bugs that did not show again under their schedules count if there is no other divergence.
void look_into_divergence(CampaignResult& result, const DivergenceInput& input);

}  // namespace raddle
