// The options of a campaign.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "supervisor/campaign/race_watch.h"
#include "supervisor/search/target.h"

namespace raddle {

// Called in the thread of the worker that uses and destroys the target.
using TargetFactory = std::function<std::unique_ptr<Target>()>;

struct CampaignOptions {
    unsigned jobs = 1;
    std::optional<std::uint64_t> max_executions{};
    std::optional<std::chrono::milliseconds> max_time{};
    bool keep_going = false;  // after the first bug
    // The campaign is complete once this bound is complete; without one, once the search is exhausted.
    std::optional<std::uint32_t> bound{};
    bool one_execution = false;  // the strategy runs one schedule only
    bool keep_to_cores = false;  // bind each worker to one processor
    bool repeat = true;          // execute some schedules again and compare (repetition.h)
    // The time for executions under way when the campaign ends; later their workers are left behind.
    std::chrono::milliseconds patience{500};
    std::size_t most_findings = 1000;  // the number of different findings that are kept
    // Set if observers want an estimate of the remaining executions.
    struct EstimateOptions {
        SearchUnit unit;
        MachineOptions machine;
    };
    std::optional<EstimateOptions> estimate{};
    // Set if data races are reported, too. They are bugs, but do not end the campaign.
    std::shared_ptr<RaceWatch> races{};
    // True for known bugs: they are counted and listed, without further effect.
    std::function<bool(const Finding&)> is_suppressed{};
};

}  // namespace raddle
