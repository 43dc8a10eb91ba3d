// How far the campaign is, on stderr: a line with a bar drawn again on a terminal, otherwise a line now and then.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "supervisor/campaign/observer.h"

namespace raddle::cli {

// All there is to say, in one line.
std::string progress_line(const CampaignProgress& progress,
                          std::optional<std::chrono::milliseconds> max_time = std::nullopt);
// As much of it as fits, what matters most first, behind a bar.
std::string progress_bar(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time,
                         std::size_t width);
// "about 400 (300 to 600)"; "400" if that is certain.
std::string estimate_text(const Estimate& estimate);
// Until this bound is done (or all, for a search without), at the present pace; nothing if nobody knows.
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
    double last_ = 0;  // when it was shown last, in seconds
    bool shown_ = false;
};

}  // namespace raddle::cli
