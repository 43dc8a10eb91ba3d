#include "cli/progress.h"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "cli/terminal.h"
#include "cli/text.h"

namespace raddle::cli {

namespace {

constexpr double seconds_between_redraws = 0.2;
constexpr double seconds_between_lines = 30;

}  // namespace

std::string progress_line(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time,
                          std::uint64_t before) {
    const Coverage& coverage = progress.coverage;
    std::string line = duration_text(progress.seconds);
    if (max_time) line += " of " + duration_text(std::chrono::duration<double>(*max_time).count());
    line += ": " + counted(coverage.executions, "execution");
    if (progress.seconds > 0)
        line +=
            " (" +
            std::to_string(static_cast<std::uint64_t>(static_cast<double>(coverage.executions - before) / progress.seconds)) +
            "/s)";
    line += ", " + counted(coverage.graphs, "graph");
    if (coverage.complete_to || coverage.bound > 0) line += ", at " + counted(coverage.bound, "preemption");
    if (coverage.frontier > 0) line += ", " + std::to_string(coverage.frontier) + " to run";
    if (coverage.abandoned > 0) line += ", " + std::to_string(coverage.abandoned) + " abandoned";
    line += progress.bugs > 0 ? ", " + counted(progress.bugs, "bug") : ", no bug so far";
    if (progress.replaced > 0) line += ", " + counted(progress.replaced, "worker") + " replaced";
    return line;
}

ProgressDisplay::ProgressDisplay(std::optional<std::chrono::milliseconds> max_time, bool tell_findings,
                                 std::uint64_t executions_before)
    : max_time_(max_time),
      tell_findings_(tell_findings),
      redraws_(may_redraw(STDERR_FILENO)),
      executions_before_(executions_before) {}

void ProgressDisplay::tick(const CampaignProgress& progress) {
    if (progress.seconds - last_ < (redraws_ ? seconds_between_redraws : seconds_between_lines)) return;
    last_ = progress.seconds;
    const std::string line = progress_line(progress, max_time_, executions_before_);
    if (!redraws_) {
        std::cerr << "raddle: " << line << std::endl;
        return;
    }
    std::cerr << '\r' << line.substr(0, columns_of(STDERR_FILENO) - 1) << "\033[K" << std::flush;
    shown_ = true;
}

void ProgressDisplay::finding(const Finding& finding) {
    if (!tell_findings_) return;
    wipe();
    std::cerr << "raddle: " << name_of(finding.verdict) << ", " << counted(finding.preemptions, "preemption") << ": "
              << printable(finding.message) << std::endl;
}

void ProgressDisplay::ended(const CampaignResult&, const Strategy*) {
    wipe();
}

void ProgressDisplay::wipe() {
    if (std::exchange(shown_, false)) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace raddle::cli
