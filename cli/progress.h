// The progress of a campaign, on stderr: one line with a bar, redrawn on a terminal; elsewhere a line now and then.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "supervisor/campaign/observer.h"

namespace raddle::cli {

// Everything, in one line.
std::string progress_line(const CampaignProgress& progress,
                          std::optional<std::chrono::milliseconds> max_time = std::nullopt);
// The most important parts that fit, behind a bar.
std::string progress_bar(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time,
                         std::size_t width);
// "about 400 (300 to 600)"; "400" if that is certain.
std::string estimate_text(const Estimate& estimate);
// The time until this bound is done (or the search, without a bound) at the present pace; nothing if unknown.
std::optional<double> seconds_left(const CampaignProgress& progress);

class ProgressDisplay final : public Observer {
public:
    // `in_names` puts a message into the names of the program; null: findings are not told.
    using InNames = std::function<std::string(const std::string& message)>;
    ProgressDisplay(std::optional<std::chrono::milliseconds> max_time, InNames in_names);

    void tick(const CampaignProgress& progress) override;
    void finding(const Finding& finding) override;
    void ended(const CampaignResult&, Strategy*) override;

private:
    void wipe();

    const std::optional<std::chrono::milliseconds> max_time_;
    const InNames in_names_;
    const bool redraws_;
    double last_ = 0;  // time of the last display, in seconds
    bool shown_ = false;
};

}  // namespace raddle::cli
