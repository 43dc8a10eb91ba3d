// How far the campaign is, on stderr: a line drawn again on a terminal, otherwise a line now and then.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "supervisor/observer.h"

namespace raddle::cli {

// `before`: executions of earlier runs, which took none of this one's time.
std::string progress_line(const CampaignProgress& progress, std::optional<std::chrono::milliseconds> max_time,
                          std::uint64_t before = 0);

class ProgressDisplay final : public Observer {
public:
    ProgressDisplay(std::optional<std::chrono::milliseconds> max_time, bool tell_findings,
                    std::uint64_t executions_before = 0);

    void tick(const CampaignProgress& progress) override;
    void finding(const Finding& finding) override;
    void ended(const CampaignResult&, const Strategy*) override;

private:
    void wipe();

    const std::optional<std::chrono::milliseconds> max_time_;
    const bool tell_findings_;
    const bool redraws_;
    const std::uint64_t executions_before_;
    double last_ = 0;  // when it was shown last, in seconds
    bool shown_ = false;
};

}  // namespace raddle::cli
