// How much is still to come, found beside the work: workers hand in an execution now and then, and the thread that
// ticks spends a few per cent of the time on it.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "supervisor/campaign/campaign.h"
#include "supervisor/search/estimate/estimate.h"

namespace raddle {

class RemainingEstimate {
public:
    explicit RemainingEstimate(const std::optional<CampaignOptions::EstimateOptions>& options);

    // From any thread; costs a copy, and that only of few.
    void add_sample(const Execution& execution);

    // From one thread. The search may be asked, if it is at hand: null otherwise.
    void draw(const Coverage& coverage);
    void update(const Coverage& coverage, const Strategy* strategy);
    std::optional<Estimate> remaining() const { return remaining_; }
    std::optional<Estimate> remaining_in_all() const { return remaining_in_all_; }

private:
    bool estimates(SearchUnit unit) const { return options_ && options_->unit == unit; }

    const std::optional<CampaignOptions::EstimateOptions> options_;
    std::mutex lock_;
    std::vector<Execution> samples_;
    std::optional<Estimator> here_, in_all_;
    std::uint64_t steps_ = 200;  // that take about the time there is
    std::chrono::steady_clock::time_point rest_until_{};
    std::optional<Estimate> remaining_, remaining_in_all_;
};

}  // namespace raddle
