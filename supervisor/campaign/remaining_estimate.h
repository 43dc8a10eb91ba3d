// Estimates the remaining executions while the campaign runs. Workers add some executions as samples; the thread of the
// ticks spends a few per cent of its time on the estimator.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "supervisor/campaign/campaign_options.h"
#include "supervisor/search/estimate/estimate.h"

namespace raddle {

class RemainingEstimate {
public:
    explicit RemainingEstimate(const std::optional<CampaignOptions::EstimateOptions>& options);

    // From any thread. Copies few executions only.
    void add_sample(const Execution& execution);

    // From one thread. `strategy` is null if another thread uses it at the moment.
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
    std::uint64_t steps_ = 200;  // adapted to the time allowed for one draw()
    std::chrono::steady_clock::time_point rest_until_{};
    std::optional<Estimate> remaining_, remaining_in_all_;
};

}  // namespace raddle
