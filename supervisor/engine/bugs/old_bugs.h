// After --rebase: runs the schedules of the old bugs first, those from before the program changed.
#pragma once

#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/process/process_target.h"

namespace raddle {

struct TriedBug {
    const char* outcome = "";  // "still_there", "gone", "not_followed", "another", "not_tried"
    std::string text;          // the same in words, with the part of the schedule that was followed
    Bug before{};
    std::optional<Finding> now{};  // the bug that its schedule shows now
};

// Reports the state of each. A bug that is still there becomes a bug of the campaign. The schedules are of another
// build and are followed as raddle replay does; a schedule without the bug is no proof that the bug is fixed.
std::vector<TriedBug> try_old_bugs(KeptCampaign& kept, const Settings& settings, const ProcessOptions& process,
                                   const Interruption& interruption, const Notices& say);

}  // namespace raddle
