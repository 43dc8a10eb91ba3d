// Reports written down by hand, for the tests of their formats.
#pragma once

#include "replay/report/campaign_report.h"

namespace raddle::testing {

// Two threads that wait for each other's lock, explained with everything an explanation can have. `name` is what the
// program calls its functions, files and threads, and what it prints.
CampaignReport deadlock_report(const std::string& name = "transfer");

// Nothing found: explored to a bound, and not beyond.
CampaignReport clean_report();

}  // namespace raddle::testing
