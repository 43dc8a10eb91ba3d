#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <utility>
#include <vector>

#include "cli/terminal.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace {

constexpr double seconds_between_redraws = 0.2;
constexpr double seconds_between_lines = 30;
constexpr std::size_t bar_width = 20;
// Any larger number of executions only means "too many".
constexpr double countless = 1e12;

// Two significant digits, as an estimate has no more: 1234 is 1,200. Numbers below 100 stay.
std::string rounded(double number) {
    if (number >= countless) return "over 10^" + std::to_string(static_cast<int>(std::log10(number)));
    auto whole = static_cast<std::uint64_t>(std::llround(number));
    std::uint64_t unit = 1;
    while (whole / unit >= 100) unit *= 10;
    whole = (whole + unit / 2) / unit * unit;
    std::string text = std::to_string(whole);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string time_text(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time) {
    std::string text = duration_text(progress.seconds);
    if (max_time) text += " of " + duration_text(std::chrono::duration<double>(*max_time).count());
    return text;
}

std::string pace_text(double rate) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), rate < 10 ? "%.1f/s" : "%.0f/s", rate);
    return text.data();
}

std::string share_abandoned(const Coverage& coverage) {
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.1f%% abandoned",
                  100.0 * static_cast<double>(coverage.abandoned) /
                      static_cast<double>(std::max<std::uint64_t>(coverage.executions, 1)));
    return text.data();
}

// A search that counts preemptions is at some number of them.
bool has_bound(const Coverage& coverage) { return coverage.complete_to || coverage.bound > 0; }

std::string remaining_text(const CampaignProgress& progress) {
    std::string text = estimate_text(*progress.remaining) + " left";
    if (has_bound(progress.coverage)) text += " at this bound";
    if (const auto seconds = seconds_left(progress)) text += ", " + duration_text(*seconds);
    return text;
}

// One part of the line, in its order; parts with a higher number go first if there is no room (0: never).
struct Part {
    std::string text;
    int dispensable;
};

std::vector<Part> parts_of(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time) {
    const Coverage& coverage = progress.coverage;
    std::vector<Part> parts = {{time_text(progress, max_time), 3}};
    if (has_bound(coverage)) parts.push_back({"at " + counted(coverage.bound, "preemption"), 2});
    parts.push_back(
        {counted(coverage.executions_in_all(), "execution") + " (" + pace_text(progress.executions_per_second) + ")",
         1});
    parts.push_back({counted(coverage.graphs, "graph"), 4});
    if (coverage.frontier > 0) parts.push_back({std::to_string(coverage.frontier) + " to run", 6});
    if (coverage.abandoned > 0) parts.push_back({share_abandoned(coverage), 7});
    if (progress.remaining) parts.push_back({remaining_text(progress), 3});
    if (progress.remaining_in_all && !coverage.exhausted)
        parts.push_back({estimate_text(*progress.remaining_in_all) + " in all", 5});
    if (progress.replaced > 0) parts.push_back({counted(progress.replaced, "worker") + " replaced", 8});
    parts.push_back({progress.bugs > 0 ? counted(progress.bugs, "bug") : "no bug so far", 0});
    return parts;
}

std::string joined(const std::vector<Part>& parts) {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : ", ") + part.text;
    return line;
}

// "[#####-----]  52% "; empty without an estimate.
std::string bar_of(const CampaignProgress& progress) {
    if (!progress.remaining) return {};
    const auto done = static_cast<double>(progress.coverage.executions);
    const double all = done + progress.remaining->likely;
    const double share = all > 0 ? done / all : 0;
    const auto full = static_cast<std::size_t>(share * bar_width);
    std::array<char, 16> percent{};
    std::snprintf(percent.data(), percent.size(), "%3.0f%% ", std::floor(share * 100));
    return "[" + std::string(full, '#') + std::string(bar_width - full, '-') + "] " + percent.data();
}

}  // namespace

std::string estimate_text(const Estimate& estimate) {
    const std::string likely = rounded(estimate.likely), low = rounded(estimate.low), high = rounded(estimate.high);
    if (low == high) return likely;
    return "about " + likely + " (" + low + " to " + high + ")";
}

std::optional<double> seconds_left(const CampaignProgress& progress) {
    if (!progress.remaining || progress.executions_per_second <= 0 || progress.remaining->likely >= countless)
        return std::nullopt;
    return progress.remaining->likely / progress.executions_per_second;
}

std::string progress_line(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time) {
    return joined(parts_of(progress, max_time));
}

std::string progress_bar(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time,
                         std::size_t width) {
    std::vector<Part> parts = parts_of(progress, max_time);
    std::string bar = bar_of(progress);
    while (bar.size() + joined(parts).size() > width) {
        const auto first = std::max_element(parts.begin(), parts.end(),
                                            [](const Part& a, const Part& b) { return a.dispensable < b.dispensable; });
        if (first->dispensable == 0 && bar.empty()) break;
        if (first->dispensable <= 1 && !bar.empty())
            bar.clear();
        else
            parts.erase(first);
    }
    return (bar + joined(parts)).substr(0, width);
}

ProgressDisplay::ProgressDisplay(std::optional<std::chrono::milliseconds> max_time, InNames in_names)
    : max_time_(max_time), in_names_(std::move(in_names)), redraws_(may_redraw(STDERR_FILENO)) {}

void ProgressDisplay::tick(const CampaignProgress& progress) {
    if (progress.seconds - last_ < (redraws_ ? seconds_between_redraws : seconds_between_lines)) return;
    last_ = progress.seconds;
    if (!redraws_) {
        std::cerr << "raddle: " << progress_line(progress, max_time_) << std::endl;
        return;
    }
    // The last column is left free: some terminals begin a new line there.
    std::cerr << '\r' << progress_bar(progress, max_time_, columns_of(STDERR_FILENO) - 1) << "\033[K" << std::flush;
    shown_ = true;
}

void ProgressDisplay::finding(const Finding& finding) {
    if (!in_names_) return;
    wipe();
    std::cerr << "raddle: " << words_of(name_of(finding.verdict)) << ", " << counted(finding.preemptions, "preemption")
              << ": " << printable(in_names_(finding.message)) << std::endl;
}

void ProgressDisplay::ended(const CampaignResult&, Strategy*) { wipe(); }

void ProgressDisplay::wipe() {
    if (std::exchange(shown_, false)) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace raddle::cli
