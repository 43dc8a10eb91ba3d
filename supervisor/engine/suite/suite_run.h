// raddle test: runs the tests of a suite, each as a campaign of its own.
#pragma once

#include <functional>

#include "replay/report/suite_report.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/engine/suite/test_case.h"

namespace raddle {

struct SuiteEvents {
    // A test is done: its result will not change in this run.
    std::function<void(const TestResult& test, std::size_t done, std::size_t all)> done;
    // A few times a second at most.
    std::function<void(std::size_t done, std::size_t all, const std::vector<std::string>& running)> tick;
};

// Lists the tests and selects some. Throws BadInput or CannotRun.
TestSuite selected_suite(const Settings& settings);

// Runs them. A signal ends it; tests that had no turn are then incomplete. Throws BadInput, StoreError or CannotRun.
SuiteReport run_suite(const TestSuite& suite, const Settings& settings, Interruption& interruption,
                      const SuiteEvents& events);

// Adds the explanations of all bugs, for the reports that show them: runs their schedules once more.
void explain_bugs(SuiteReport& report, const Settings& settings, const Notices& say);

}  // namespace raddle
