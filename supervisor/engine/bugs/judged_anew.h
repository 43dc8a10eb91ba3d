// After the rules of judging changed: the bugs of the campaign that depend on them are run again and judged by the new ones.
#pragma once

#include "supervisor/engine/kept/kept_campaign.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// Says which bugs are none any more. An interruption, or a program that cannot run, leaves the rest to the next run.
void judge_bugs_anew(KeptCampaign& kept, const Settings& settings, const ProcessOptions& process, const Interruption& interruption,
                     const Notices& say);

}  // namespace raddle
