// Reports written by hand, for the tests of the formats.
#pragma once

#include "replay/report/campaign_report.h"

namespace raddle::testing {

// Two threads that wait for each other's lock, with a complete explanation. `name` replaces the program's names of
// functions, files and threads, and its output.
CampaignReport deadlock_report(const std::string& name = "transfer");

// No bug found: explored up to a bound only.
CampaignReport clean_report();

}  // namespace raddle::testing
