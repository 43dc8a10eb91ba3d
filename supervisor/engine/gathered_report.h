// All that a report on a kept campaign says: read from its store and its bugs' directories, each bug explained by running
// it once more.
#pragma once

#include "replay/report/campaign_report.h"
#include "replay/schedule/suppressions.h"
#include "store/campaign_store.h"

namespace raddle {

// Only reads the campaign. Throws StoreError.
CampaignReport gathered_report(const std::filesystem::path& directory, const Suppressions& suppressions);

}  // namespace raddle
