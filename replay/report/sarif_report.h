// A report as SARIF 2.1.0, which code hosts and editors show beside the source: a result for each bug, with the steps
// that matter as one flow for each thread, numbered across threads.
#pragma once

#include <string>

#include "replay/report/suite_report.h"

namespace raddle {

std::string sarif_of(const CampaignReport& report);
// All tests in one run: an invocation for the suite, and one for each test with a bug.
std::string sarif_of(const SuiteReport& suite);

}  // namespace raddle
