// Runs the bugs of a campaign again after its judging rules changed, and judges them by the new rules.
#pragma once

#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// Says which bugs are gone. An interruption, or a program that cannot run, leaves the rest to the next run.
void judge_bugs_anew(KeptCampaign& kept, const Settings& settings, const ProcessOptions& process,
                     const Interruption& interruption, const Notices& say);

}  // namespace raddle
