// After --rebase: the schedules of the bugs that the program had before it changed are run first.
#pragma once

#include "cli/interruption.h"
#include "cli/kept_campaign.h"
#include "supervisor/process/process_target.h"

namespace raddle::cli {

struct TriedBug {
    const char* outcome = "";        // "still_there", "gone", "not_followed", "another", "not_tried"
    std::string text;                // the same in words, with how far its schedule could be followed
    Finding before{};
    std::optional<Finding> now{};    // what its schedule shows
};

// Says what became of each. What is still there becomes a bug of the campaign. Schedules were made for another program
// and are followed as far as it can be recognised, as raddle replay does; that one shows nothing any more is no proof that
// no other does.
std::vector<TriedBug> try_old_bugs(KeptCampaign& kept, const Arguments& arguments, const ProcessOptions& process, const Interruption& interruption);

}  // namespace raddle::cli
