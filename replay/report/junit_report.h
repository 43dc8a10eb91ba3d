// A report as JUnit XML, which continuous integration reads: a failing test case for each bug, and cases for what was
// explored and what was not. Within what the common schemas (of Ant and Jenkins) have in common.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

std::string junit_of(const CampaignReport& report);

}  // namespace raddle
