// The results of raddle test as one HTML page: a table of the tests, and every bug explained.
#pragma once

#include <string>

#include "replay/report/suite_report.h"

namespace raddle {

// `nonce` authorises the page's own script: it must be unpredictable.
std::string html_of(const SuiteReport& suite, const std::string& nonce);

}  // namespace raddle
