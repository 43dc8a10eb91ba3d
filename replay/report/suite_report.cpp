#include "replay/report/suite_report.h"

#include <algorithm>
#include <iterator>

#include "supervisor/base/text.h"

namespace raddle {

namespace {

struct Row {
    const char* name;
    int exit_code;
    const char* word;
};

constexpr Row rows[] = {
#define RADDLE_ROW(name, code, word) {#name, code, word},
    RADDLE_TEST_ENDINGS(RADDLE_ROW)
#undef RADDLE_ROW
};

const Row& row_of(TestEnding ending) { return rows[static_cast<std::size_t>(ending)]; }

std::string explored_by(const TestResult& test) {
    if (test.has_one_thread) return "one thread, so one schedule";
    const std::string every = test.has_focus ? "every schedule of the focus" : "every schedule";
    if (test.exhausted) return every;
    if (!test.complete_to) return {};
    return *test.complete_to == 0 ? every + " without preemptions"
                                  : every + " with at most " + counted(*test.complete_to, "preemption");
}

std::string counts_of(const TestResult& test) {
    return counted(test.graphs, "graph") + ", " + counted(test.executions, "execution");
}

std::string bug_of(const TestResult& test) {
    const TestBug& first = test.bugs.front();
    const std::string others =
        test.bugs.size() > 1 ? " (and " + counted(test.bugs.size() - 1, "other bug") + ")" : std::string();
    return words_of(first.kind) + ", " + counted(first.preemptions, "preemption") + ": " + printable(first.message) +
           others;
}

}  // namespace

const char* name_of(TestEnding ending) { return row_of(ending).name; }
const char* word_of(TestEnding ending) { return row_of(ending).word; }
int exit_code_of(TestEnding ending) { return row_of(ending).exit_code; }

std::optional<TestEnding> test_ending_named(const std::string& name) {
    for (std::size_t i = 0; i < std::size(rows); ++i)
        if (name == rows[i].name) return static_cast<TestEnding>(i);
    return std::nullopt;
}

std::size_t SuiteReport::count(TestEnding ending) const {
    return static_cast<std::size_t>(
        std::count_if(tests.begin(), tests.end(), [&](const TestResult& test) { return test.ending == ending; }));
}

TestEnding SuiteReport::worst() const {
    TestEnding worst = TestEnding::skipped;
    for (const TestResult& test : tests) worst = std::max(worst, test.ending);
    return worst;
}

std::string sentence_of(const TestResult& test) {
    std::string text;
    if (test.ending == TestEnding::failed && !test.bugs.empty()) {
        text = bug_of(test);
    } else {
        const std::string explored = explored_by(test);
        const bool is_pass = test.ending == TestEnding::passed;
        text = is_pass ? explored + " (" + counts_of(test) + ")" : printable(test.because);
        if (test.ending == TestEnding::incomplete && !explored.empty()) text += "; explored: " + explored;
    }
    for (const std::string& remark : test.remarks) text += "; " + printable(remark);
    return test.is_unchanged ? "unchanged: " + text : text;
}

std::string summary_of(const SuiteReport& suite) {
    std::vector<std::string> parts;
    for (const TestEnding ending :
         {TestEnding::passed, TestEnding::failed, TestEnding::incomplete, TestEnding::diverged,
          TestEnding::uncontrolled, TestEnding::unusable, TestEnding::error, TestEnding::skipped})
        if (const std::size_t count = suite.count(ending); count > 0)
            parts.push_back(std::to_string(count) + " " + word_of(ending));
    return counted(suite.tests.size(), "test") + (parts.empty() ? "" : ": " + joined(parts, ", "));
}

}  // namespace raddle
