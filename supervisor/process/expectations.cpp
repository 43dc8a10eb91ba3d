#include "supervisor/process/expectations.h"

#include <regex.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "supervisor/base/error.h"

namespace raddle {

struct Expectations::Pattern {
    std::string text;
    regex_t compiled{};

    explicit Pattern(const std::string& expression) : text(expression) {
        const int error = ::regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NOSUB);
        if (error == 0) return;
        std::array<char, 200> why{};
        ::regerror(error, &compiled, why.data(), why.size());
        throw BadInput("'" + expression + "' is no extended regular expression: " + why.data());
    }
    ~Pattern() { ::regfree(&compiled); }
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    bool matches(const std::string& line) const { return ::regexec(&compiled, line.c_str(), 0, nullptr, 0) == 0; }
};

Expectations::Expectations() = default;
Expectations::~Expectations() = default;
Expectations::Expectations(const Expectations&) = default;

void Expectations::accept_exit_status(std::int64_t status) { exit_statuses_.insert(status); }

void Expectations::forbid_in_errors(const std::string& expression) {
    forbidden_.push_back(std::make_shared<const Pattern>(expression));
}

namespace {

// Where a text is another one than before.
std::string first_difference(const std::string& now, const std::string& before) {
    const auto differing = std::mismatch(now.begin(), now.end(), before.begin(), before.end());
    return "from byte " + std::to_string(differing.first - now.begin()) + " on, in line " +
           std::to_string(1 + std::count(now.begin(), differing.first, '\n'));
}

}  // namespace

void Expectations::apply(Execution& execution, const std::string& directory) const {
    if (execution.verdict != Verdict::ok && execution.verdict != Verdict::exit_status) return;
    apply_to_exit(execution);
    if (execution.verdict == Verdict::ok) apply_to_errors(execution);
    if (execution.verdict == Verdict::ok) apply_to_output(execution);
    if (execution.verdict == Verdict::ok) apply_to_files(execution, directory);
}

void Expectations::apply_to_errors(Execution& execution) const {
    if (forbidden_.empty()) return;
    std::istringstream lines(execution.errors);
    for (std::string line; std::getline(lines, line);) {
        const auto matches = [&](const auto& pattern) { return pattern->matches(line); };
        if (std::none_of(forbidden_.begin(), forbidden_.end(), matches)) continue;
        execution.verdict = Verdict::output;
        execution.message = "on standard error: " + line.substr(0, 200);
        return;
    }
}

void Expectations::apply_to_output(Execution& execution) const {
    if (!output_ || execution.output == *output_) return;
    execution.verdict = Verdict::output;
    execution.message =
        "standard output differs from that of the first execution " + first_difference(execution.output, *output_);
}

void Expectations::apply_to_files(Execution& execution, const std::string& directory) const {
    for (const auto& [path, before] : files_) {
        const FileContent now = read_file_of_program(directory, path);
        if (now == before) continue;
        execution.verdict = Verdict::output;
        execution.message = "the file " + path;
        if (!now.exists || !before.exists)
            execution.message += now.exists ? " exists, unlike after the first execution"
                                            : " does not exist, unlike after the first execution";
        else
            execution.message +=
                " differs from that of the first execution " + first_difference(now.bytes, before.bytes);
        return;
    }
}

void Expectations::apply_to_exit(Execution& execution) const {
    const std::int64_t status = execution.exit_status;
    const bool expected = any_exit_status_ || (exit_statuses_.empty() ? status == 0 : exit_statuses_.contains(status));
    execution.verdict = expected ? Verdict::ok : Verdict::exit_status;
    execution.message = expected ? "" : "exit status " + std::to_string(status);
}

}  // namespace raddle
