// The observers of a campaign: progress display, reports, the store. Calls come one at a time, from any thread. They
// hold up the workers, so slow work belongs into `tick`.
#pragma once

#include <cstdint>
#include <string>

#include "supervisor/search/strategy.h"

namespace raddle {

struct CampaignResult;

// The progress of a campaign.
struct CampaignProgress {
    Coverage coverage;
    double seconds = 0;
    std::uint64_t bugs = 0;            // different ones
    std::uint64_t replaced = 0;        // workers whose target failed
    double executions_per_second = 0;  // over the last seconds
    // The remaining executions: at this bound (in all, for a search without bounds), and in all.
    std::optional<Estimate> remaining{}, remaining_in_all{};
};

class Observer {
public:
    virtual ~Observer() = default;

    virtual void started() {}
    // The strategy has learned from this execution. The observer may read and save the strategy during the call.
    virtual void executed(const Plan&, const Execution&, Strategy&) {}
    // The first finding with its verdict and bug key, or a simpler one than all before.
    virtual void finding(const Finding&) {}
    // Every graph with at most so many preemptions was seen.
    virtual void bound_complete(std::uint32_t, const Coverage&) {}
    // About ten times a second, even while the search is busy.
    virtual void tick(const CampaignProgress&) {}
    // The last call. `strategy` is null if the search could not be stopped in time.
    virtual void ended(const CampaignResult&, Strategy*) {}
};

}  // namespace raddle
