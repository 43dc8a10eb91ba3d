// After --rebase: the schedules of the bugs that the program had before it changed are run first.
#pragma once

#include "cli/interruption.h"
#include "cli/kept_campaign.h"
#include "supervisor/campaign.h"

namespace raddle::cli {

// Says what became of each. One that is still there becomes a bug of the campaign. A schedule was made for another
// program: that it shows nothing any more proves nothing.
void try_old_bugs(KeptCampaign& kept, const TargetFactory& make_target, const StrategyOptions& options,
                  const std::shared_ptr<RaceWatch>& races, const Interruption& interruption);

}  // namespace raddle::cli
