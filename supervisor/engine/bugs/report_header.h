// The part that every report made now begins with.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

CampaignReport empty_report();
// Random: an HTML report knows its own script by it.
std::string fresh_nonce();

}  // namespace raddle
