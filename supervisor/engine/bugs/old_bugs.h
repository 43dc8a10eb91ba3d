// After --rebase: the schedules of the bugs that the program had before it changed are run first.
#pragma once

#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/process/process_target.h"

namespace raddle {

struct TriedBug {
    const char* outcome = "";        // "still_there", "gone", "not_followed", "another", "not_tried"
    std::string text;                // the same in words, with how far its schedule could be followed
    Finding before{};
    std::optional<Finding> now{};    // what its schedule shows
};

// Says what became of each. What is still there becomes a bug of the campaign. Schedules were made for another program
// and are followed as far as it can be recognised, as raddle replay does; that one shows nothing any more is no proof that
// no other does.
std::vector<TriedBug> try_old_bugs(KeptCampaign& kept, const Settings& settings, const ProcessOptions& process,
                                   const Interruption& interruption, const Notices& say);

}  // namespace raddle
