// --suppressions: which bugs are not to be reported.
#pragma once

#include "cli/command.h"
#include "replay/suppressions.h"
#include "supervisor/campaign.h"

namespace raddle::cli {

// Says which have expired. Throws BadInput.
Suppressions suppressions_of(const Arguments& arguments);

// Bugs that were kept from before may be suppressed now.
void set_suppressed_apart(CampaignResult& result, const Suppressions& suppressions);

}  // namespace raddle::cli
