// The results of raddle test as JUnit XML: one testcase for each test.
#pragma once

#include <string>

#include "replay/report/suite_report.h"

namespace raddle {

std::string junit_of(const SuiteReport& suite);

}  // namespace raddle
