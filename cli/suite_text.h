// The results of raddle test for people, one line for each test, and for machines.
#pragma once

#include <string>

#include "replay/report/suite_report.h"

namespace raddle::cli {

// "      passed [   0.14 s] Locks.Order: every schedule (2 graphs, 2 executions)"
std::string line_of(const TestResult& test);
// The last lines: the bugs again, with the way to look at them, and the counts.
std::string end_of(const SuiteReport& suite);
// One object (docs/report.md).
std::string suite_for_machines(const SuiteReport& suite, int exit_code);

}  // namespace raddle::cli
