// A report as JUnit XML for continuous integration: a failing test case for each bug, and test cases for the explored
// and the unexplored part. It uses only the common subset of the schemas of Ant and Jenkins.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

// As the attribute "time" has them: "1.250".
std::string junit_seconds(double seconds);

std::string junit_of(const CampaignReport& report);

}  // namespace raddle
