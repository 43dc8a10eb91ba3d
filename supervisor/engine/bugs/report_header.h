// The common beginning of all reports.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

CampaignReport empty_report();
// Random: an HTML report knows its own script by it.
std::string fresh_nonce();

}  // namespace raddle
