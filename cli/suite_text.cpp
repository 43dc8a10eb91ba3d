#include "cli/suite_text.h"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;
constexpr std::size_t word_width = 12;

Colour colour_of(TestEnding ending) {
    if (ending == TestEnding::failed) return Colour::bad;
    return ending == TestEnding::passed ? Colour::good : Colour::doubtful;
}

std::string seconds_text(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "[%8.2f s]", seconds);
    return text;
}

std::string headed(TestEnding ending, const std::string& text) {
    const std::string word = word_of(ending);
    return std::string(word_width - std::min(word_width, word.size()), ' ') +
           coloured(word, colour_of(ending), STDOUT_FILENO) + " " + text;
}

std::string details_of(const TestResult& test) {
    std::string text = "\n" + test.name + "\n";
    for (const TestBug& bug : test.bugs) {
        text += "  " + words_of(bug.kind) + ", " + counted(bug.preemptions, "preemption") + "\n";
        for (const std::string& line : wrapped(printable(bug.message), page_width - 12))
            text += "            " + line + "\n";
        text += bug.brief;
        if (!bug.directory.empty())
            text += "  replay    raddle replay " + shell_word(bug.directory) + "\n  explain   raddle show " +
                    shell_word(bug.directory) + "\n";
    }
    return text;
}

Json json_of(const TestBug& bug) {
    return {{"kind", bug.kind},
            {"preemptions", bug.preemptions},
            {"message", bug.message},
            {"schedule", bug.schedule},
            {"directory", bug.directory.empty() ? Json() : Json(bug.directory)}};
}

Json json_of(const TestResult& test) {
    Json bugs = Json::array();
    for (const TestBug& bug : test.bugs) bugs.push_back(json_of(bug));
    return {{"name", test.name},
            {"result", name_of(test.ending)},
            {"exit_code", exit_code_of(test.ending)},
            {"text", sentence_of(test)},
            {"because", test.because.empty() ? Json() : Json(test.because)},
            {"remarks", test.remarks},
            {"unchanged", test.is_unchanged},
            {"one_thread", test.has_one_thread},
            {"exhausted", test.exhausted},
            {"bound_complete", test.complete_to ? Json(*test.complete_to) : Json()},
            {"executions", test.executions},
            {"graphs", test.graphs},
            {"seconds", test.seconds},
            {"cpu_seconds", test.cpu_seconds},
            {"campaign", test.directory.empty() ? Json() : Json(test.directory)},
            {"bugs", std::move(bugs)}};
}

}  // namespace

std::string line_of(const TestResult& test) {
    return headed(test.ending, seconds_text(test.seconds) + " " + printable(test.name) + ": " + sentence_of(test)) +
           "\n";
}

std::string end_of(const SuiteReport& suite) {
    std::string text;
    for (const TestResult& test : suite.tests)
        if (!test.bugs.empty()) text += details_of(test);
    return text + (text.empty() ? "" : "\n") + "     summary " + seconds_text(suite.seconds) + " " + suite.framework +
           ", " + summary_of(suite) + "\n";
}

std::string suite_for_machines(const SuiteReport& suite, int exit_code) {
    Json tests = Json::array();
    for (const TestResult& test : suite.tests) tests.push_back(json_of(test));
    Json counts = Json::object();
    for (const TestEnding ending : {
#define RADDLE_ROW(name, code, word) TestEnding::name,
             RADDLE_TEST_ENDINGS(RADDLE_ROW)
#undef RADDLE_ROW
         })
        counts[name_of(ending)] = suite.count(ending);
    const Json object = {{"schema", schema},
                         {"tool", suite.tool},
                         {"program", suite.program},
                         {"framework", suite.framework},
                         {"campaigns", suite.directory},
                         {"exit_code", exit_code},
                         {"seconds", suite.seconds},
                         {"counts", counts},
                         {"tests", std::move(tests)}};
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::cli
