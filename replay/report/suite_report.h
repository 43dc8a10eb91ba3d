// The results of raddle test as plain data: the source of its reports. The engine makes it; tests write it by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "replay/report/campaign_report.h"

namespace raddle {

// Each ending of a test with its exit status (that of raddle run) and its word. The worst comes last.
// Kept on disk by name.
#define RADDLE_TEST_ENDINGS(row)                                                                \
    row(skipped, 0, "skipped")               /* it was not to be run */                         \
        row(passed, 0, "passed")             /* everything asked for was explored, no bug */    \
        row(incomplete, 3, "incomplete")     /* no bug so far */                                \
        row(diverged, 4, "diverged")         /* it does not repeat its behaviour */             \
        row(uncontrolled, 5, "uncontrolled") /* not one execution was under control */          \
        row(unusable, 6, "unusable")         /* the directory of its campaign cannot be used */ \
        row(error, 70, "error")              /* raddle failed */                                \
        row(failed, 1, "failed")             /* a failing schedule was found */

enum class TestEnding {
#define RADDLE_ROW(name, code, word) name,
    RADDLE_TEST_ENDINGS(RADDLE_ROW)
#undef RADDLE_ROW
};
const char* name_of(TestEnding ending);
const char* word_of(TestEnding ending);
int exit_code_of(TestEnding ending);
// Nothing for an unknown name.
std::optional<TestEnding> test_ending_named(const std::string& name);

struct TestBug {
    std::string kind;  // "exit_status"
    std::uint32_t preemptions = 0;
    std::string message;
    std::string brief;      // who waits for whom, the decisive switch; lines for people
    std::string directory;  // empty: none
    std::string schedule;
};

struct TestResult {
    std::string name;
    TestEnding ending = TestEnding::skipped;
    std::string because;               // of everything but a pass and a bug: one line
    std::vector<std::string> remarks;  // what a reader should know of a pass, too
    std::uint64_t executions = 0, graphs = 0;
    bool exhausted = false;                    // every schedule was explored
    std::optional<std::uint32_t> complete_to;  // every schedule with at most so many preemptions
    double seconds = 0;                        // in all runs
    double cpu_seconds = 0;                    // in this run
    bool has_one_thread = false;
    bool has_focus = false;     // what was explored holds for the focus (--focus)
    bool is_unchanged = false;  // not run: this is the result of an earlier run (--changed)
    std::vector<TestBug> bugs;
    std::string directory;                           // of its campaign; empty: none
    std::shared_ptr<const CampaignReport> report{};  // its bugs, explained; null: not asked for, or there are none
};

struct SuiteReport {
    std::string tool, made_at, host;  // as in CampaignReport
    std::string name, program, framework, directory;
    double seconds = 0;  // of this run
    std::vector<TestResult> tests;

    std::size_t count(TestEnding ending) const;
    TestEnding worst() const;
};

// "every schedule with at most 2 preemptions (7 graphs, 9 executions)"; for a failing test, its first bug.
std::string sentence_of(const TestResult& test);
// "6 tests: 3 passed, 2 failed, 1 skipped"
std::string summary_of(const SuiteReport& suite);

}  // namespace raddle
