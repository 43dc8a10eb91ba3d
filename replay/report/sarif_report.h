// A report as SARIF 2.1.0, which code hosts and editors show beside the source: a result for each bug, with the steps
// that matter as one flow for each thread, numbered across threads.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

std::string sarif_of(const CampaignReport& report);

}  // namespace raddle
