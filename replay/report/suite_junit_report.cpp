#include "replay/report/suite_junit_report.h"

#include "replay/report/junit_report.h"
#include "replay/report/markup.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

// The element of a test that did not pass. Incomplete tests are skipped ones, as no bug was found.
const char* element_of(TestEnding ending) {
    switch (ending) {
        case TestEnding::passed: return nullptr;
        case TestEnding::failed: return "failure";
        case TestEnding::skipped:
        case TestEnding::incomplete: return "skipped";
        case TestEnding::diverged:
        case TestEnding::uncontrolled:
        case TestEnding::unusable:
        case TestEnding::error: return "error";
    }
    return "error";
}

std::size_t count(const SuiteReport& suite, const std::string& element) {
    std::size_t count = 0;
    for (const TestResult& test : suite.tests)
        if (const char* const own = element_of(test.ending); own != nullptr && element == own) ++count;
    return count;
}

std::string details_of(const TestResult& test) {
    std::string text;
    for (const TestBug& bug : test.bugs) {
        text +=
            words_of(bug.kind) + ", " + counted(bug.preemptions, "preemption") + ": " + bug.message + "\n" + bug.brief;
        if (!bug.directory.empty()) text += "explain: raddle show " + shell_word(bug.directory) + "\n";
        text += "schedule: " + bug.schedule + "\n\n";
    }
    return text.empty() ? sentence_of(test) : text;
}

void write_case(Markup& page, const SuiteReport& suite, const TestResult& test) {
    page.line();
    // Tools group by class name: the suite of GoogleTest, the module of Rust, the folder of Boost.Test.
    const std::size_t cut = test.name.find_last_of(".:/");
    const bool has_group =
        cut != std::string::npos && cut > 0 && cut + 1 < test.name.size() && test.name.find(' ') == std::string::npos;
    std::string group = has_group ? test.name.substr(0, cut) : "";
    while (group.ends_with(':')) group.pop_back();
    const Element one(page, "testcase",
                      {{"name", has_group ? test.name.substr(cut + 1) : test.name},
                       {"classname", suite.name + (group.empty() ? "" : "." + group)},
                       {"time", junit_seconds(test.seconds)}});
    const char* const element = element_of(test.ending);
    if (element == nullptr) return;
    if (element == std::string("skipped"))
        page.leaf(element, {}, sentence_of(test));  // Jenkins' schema allows no attribute here
    else
        page.leaf(element,
                  {{"message", sentence_of(test)},
                   {"type", test.bugs.empty() ? name_of(test.ending) : test.bugs.front().kind}},
                  details_of(test));
}

}  // namespace

std::string junit_of(const SuiteReport& suite) {
    Markup page;
    page.literal("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    {
        const Element suites(page, "testsuites");
        page.line();
        const Element one(page, "testsuite",
                          {{"name", suite.name},
                           {"package", "raddle"},
                           {"id", "0"},
                           {"timestamp", suite.made_at},
                           {"hostname", suite.host.empty() ? "localhost" : suite.host},
                           {"tests", std::to_string(suite.tests.size())},
                           {"failures", std::to_string(count(suite, "failure"))},
                           {"errors", std::to_string(count(suite, "error"))},
                           {"skipped", std::to_string(count(suite, "skipped"))},
                           {"time", junit_seconds(suite.seconds)}});
        page.line();
        {
            const Element properties(page, "properties");
            page.empty("property", {{"name", "tool"}, {"value", suite.tool}});
            page.empty("property", {{"name", "program"}, {"value", suite.program}});
            page.empty("property", {{"name", "framework"}, {"value", suite.framework}});
            page.empty("property", {{"name", "campaigns"}, {"value", suite.directory}});
        }
        for (const TestResult& test : suite.tests) write_case(page, suite, test);
        page.line();
        page.leaf("system-out", {}, summary_of(suite));
        page.line();
        page.leaf("system-err", {}, "");
        page.line();
    }
    page.line();
    return page.take();
}

}  // namespace raddle
