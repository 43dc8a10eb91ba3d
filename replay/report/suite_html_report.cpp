#include "replay/report/suite_html_report.h"

#include "replay/report/html_bug.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

const char* mood_of(TestEnding ending) {
    switch (ending) {
        case TestEnding::failed: return "verdict bad";
        case TestEnding::passed: return "verdict good";
        case TestEnding::skipped:
        case TestEnding::incomplete:
        case TestEnding::diverged:
        case TestEnding::uncontrolled:
        case TestEnding::unusable:
        case TestEnding::error: return "verdict doubt";
    }
    return "verdict doubt";
}

class SuitePage {
public:
    SuitePage(const SuiteReport& suite, const std::string& nonce) : suite_(suite), nonce_(nonce) {}

    std::string written() {
        const HtmlFrame frame{"raddle: " + suite_.name + ": " + summary_of(suite_), nonce_, suite_.tool,
                              suite_.made_at};
        write_html_page(
            page_, frame, [&] { write_header(); },
            [&] {
                write_tests();
                for (std::size_t i = 0; i < suite_.tests.size(); ++i) write_bugs(suite_.tests[i], i + 1);
            });
        return page_.take();
    }

private:
    void write_header() {
        const Element header(page_, "header");
        {
            const Element what(page_, "p", {{"class", "what"}});
            page_.text("raddle test on ");
            page_.leaf("code", {}, suite_.program);
        }
        const TestEnding worst = suite_.worst();
        page_.leaf("p", {{"class", mood_of(worst)}}, word_of(worst));
        page_.leaf("h1", {}, summary_of(suite_));
    }

    void write_tests() {
        const Element section(page_, "section", {{"id", "tests"}, {"aria-labelledby", "tests-title"}});
        page_.leaf("h2", {{"id", "tests-title"}}, "Tests");
        const Element table(page_, "table", {{"class", "list"}});
        for (std::size_t i = 0; i < suite_.tests.size(); ++i) {
            const TestResult& test = suite_.tests[i];
            const Element row(page_, "tr");
            {
                const Element cell(page_, "td");
                page_.leaf("span", {{"class", mood_of(test.ending)}}, word_of(test.ending));
            }
            {
                const Element cell(page_, "td");
                if (test.report)
                    page_.leaf("a", {{"href", "#test" + std::to_string(i + 1)}}, test.name);
                else
                    page_.leaf("code", {}, test.name);
            }
            page_.leaf("td", {}, sentence_of(test));
        }
    }

    void write_bugs(const TestResult& test, std::size_t number) {
        if (!test.report) return;
        const std::string id = "test" + std::to_string(number);
        page_.leaf("h2", {{"id", id}, {"class", "test"}}, test.name);
        std::size_t count = 0;
        for (const std::vector<Bug>* bugs : {&test.report->bugs, &test.report->unstable, &test.report->diverged})
            for (const Bug& bug : *bugs) write_html_bug(page_, bug, id + "-bug" + std::to_string(++count), false);
    }

    const SuiteReport& suite_;
    const std::string nonce_;
    Markup page_;
};

}  // namespace

std::string html_of(const SuiteReport& suite, const std::string& nonce) { return SuitePage(suite, nonce).written(); }

}  // namespace raddle
