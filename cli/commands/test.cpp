// raddle test: explores each test of a suite and prints a line for it.
#include <unistd.h>

#include <iostream>

#include "cli/commands/commands.h"
#include "cli/configuration.h"
#include "cli/output_file.h"
#include "cli/suite_text.h"
#include "cli/terminal.h"
#include "replay/report/sarif_report.h"
#include "replay/report/suite_html_report.h"
#include "replay/report/suite_junit_report.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/bugs/report_header.h"
#include "supervisor/engine/suite/suite_run.h"

namespace raddle::cli {

const char* const test_description =
    "Asks a test program for its tests (GoogleTest, Catch2, doctest, Boost.Test, Rust's libtest), or ctest for those of a "
    "CMake build, and explores the schedules of each as raddle run does, several at a time. Each test is a campaign in "
    "one directory, which the next call continues. One line for each test goes to standard output: passed, failed (a failing "
    "schedule was found), incomplete, and the reason. The exit status is that of raddle run: 1 if any test failed, "
    "otherwise that of the worst result.";

const std::vector<Example> test_examples = {
    {"raddle test -- ./my_tests", "each test with at most two preemptions, for at most 30 seconds"},
    {"raddle test -f 'Queue.*' --bound 3 -- ./my_tests", "some tests, and more schedules of each"},
    {"raddle test --max-time 10m --shard 2/5 -- ./my_tests", "the second of five machines that share the tests"},
    {"raddle test --ctest build --changed --junit raddle.xml",
     "the tests of a CMake build whose programs have changed"},
    {"raddle test --list -- ./my_tests", "the names of the tests"},
};

namespace {

class SuiteProgress {
public:
    explicit SuiteProgress(const Arguments& arguments)
        : is_for_machines_(arguments.given("json")), redraws_(!arguments.given("quiet") && may_redraw(STDERR_FILENO)) {}
    ~SuiteProgress() { clear(); }
    SuiteProgress(const SuiteProgress&) = delete;
    SuiteProgress& operator=(const SuiteProgress&) = delete;

    void done(const TestResult& test) {
        clear();
        if (!is_for_machines_) std::cout << line_of(test) << std::flush;
    }

    void draw(std::size_t done, std::size_t all, const std::vector<std::string>& running) {
        if (!redraws_) return;
        clear();
        std::string line = std::to_string(done) + " of " + counted(all, "test") + "; running " + joined(running, ", ");
        const unsigned width = columns_of(STDERR_FILENO);
        if (line.size() >= width && width > 1) line.resize(width - 1);
        std::cerr << printable(line) << std::flush;
        is_drawn_ = true;
    }

private:
    void clear() {
        if (is_drawn_) std::cerr << "\r\033[K" << std::flush;
        is_drawn_ = false;
    }

    const bool is_for_machines_, redraws_;
    bool is_drawn_ = false;
};

void write_reports(SuiteReport& report, const Arguments& arguments) {
    if (arguments.given("sarif") || arguments.given("html")) explain_bugs(report, arguments, say);
    if (arguments.given("junit")) write_output_file("--junit", arguments.text("junit"), junit_of(report));
    if (arguments.given("sarif")) write_output_file("--sarif", arguments.text("sarif"), sarif_of(report));
    if (arguments.given("html")) write_output_file("--html", arguments.text("html"), html_of(report, fresh_nonce()));
}

}  // namespace

int run_test(const Arguments& arguments) {
    if (arguments.given("print-config")) {
        std::cout << configuration_text(*find_command("test"), arguments, arguments.given("json"));
        return exit_ok;
    }
    Interruption interruption;
    const TestSuite suite = selected_suite(arguments);
    if (arguments.given("list")) {
        for (const TestCase& test : suite.tests)
            std::cout << printable(test.name) << (test.skipped.empty() ? "" : "  (" + test.skipped + ")") << "\n";
        return exit_ok;
    }
    SuiteProgress progress(arguments);
    const SuiteEvents events{
        .done = [&](const TestResult& test, std::size_t, std::size_t) { progress.done(test); },
        .tick = [&](std::size_t done, std::size_t all,
                    const std::vector<std::string>& running) { progress.draw(done, all, running); }};
    SuiteReport report = run_suite(suite, arguments, interruption, events);
    int exit_code = exit_code_of(report.worst());
    if (interruption.signal() != 0) exit_code = exit_signal + interruption.signal();
    std::cout << (arguments.given("json") ? suite_for_machines(report, exit_code) : end_of(report)) << std::flush;
    write_reports(report, arguments);
    return exit_code;
}

}  // namespace raddle::cli
