// A report as one JSON object; docs/report.md lists its keys. `schema` changes when a key changes its meaning or goes
// away; keys may be added.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

std::string json_of(const CampaignReport& report);

}  // namespace raddle
