// Advice on a divergence. A setting is advised only after raddle ran the program under it and the divergence was gone.
// Settings that leave the steps as they are repeat the diverging schedule; others run a short search.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "replay/schedule/divergence_file.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/launch/process_options.h"
#include "supervisor/search/strategy.h"

namespace raddle {

struct AdviceInput {
    const Settings& settings;
    const ProcessOptions& process;
    std::string strategy;
    const StrategyOptions& search;
    const Schedule& schedule;
    // Executions of the search before it saw the divergence.
    std::uint64_t executions = 0;
    // Libraries whose accesses were not looked at, though two threads ran them.
    std::vector<std::string> libraries;
    // Variables of the environment that the program asked for.
    std::vector<std::string> variables;
    std::function<bool()> is_over;
};

// Tries one setting after the other until one helps. The record says what was repeated, and how often it differed.
std::vector<TriedSetting> try_settings(const AdviceInput& input, const DivergenceRecord& record);

}  // namespace raddle
