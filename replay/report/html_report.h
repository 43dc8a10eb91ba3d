// A report as one HTML page without external files or fonts; for light and dark screens, keyboard and paper.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

// `nonce` authorises the page's own script: it must be unpredictable.
std::string html_of(const CampaignReport& report, const std::string& nonce);

}  // namespace raddle
