// A report to be looked at: one HTML file that needs nothing else, neither network nor fonts; light and dark, for the
// keyboard and for paper.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

// `nonce` is what the page's own script is recognised by: nobody may know it beforehand.
std::string html_of(const CampaignReport& report, const std::string& nonce);

}  // namespace raddle
