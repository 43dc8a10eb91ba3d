// The content of a report on a kept campaign: its store, its bug directories, and an explanation of each bug, for which
// the schedule runs once more.
#pragma once

#include "replay/report/campaign_report.h"
#include "replay/schedule/suppressions.h"
#include "store/campaign_store.h"

namespace raddle {

// Only reads the campaign. Throws StoreError.
CampaignReport gathered_report(const std::filesystem::path& directory, const Suppressions& suppressions,
                               bool is_trusted = false);

}  // namespace raddle
