// Who listens to a campaign: progress display, reports, the store. Calls come one at a time, from any thread; they are
// part of the campaign's time, so what is slow belongs to `tick`.
#pragma once

#include <cstdint>
#include <string>

#include "supervisor/search/strategy.h"

namespace raddle {

struct CampaignResult;

// How far a campaign has come.
struct CampaignProgress {
    Coverage coverage;
    double seconds = 0;
    std::uint64_t bugs = 0;      // different ones
    std::uint64_t replaced = 0;  // workers whose target failed
    double executions_per_second = 0;  // of late
    // Executions still to come: at this bound (in all, for a search without), and in all.
    std::optional<Estimate> remaining{}, remaining_in_all{};
};

class Observer {
public:
    virtual ~Observer() = default;

    virtual void started() {}
    // The strategy has learned from this execution; it may be looked at (and saved) until the call returns.
    virtual void executed(const Plan&, const Execution&, Strategy&) {}
    // Of its verdict and place the first, or one with fewer preemptions, or as many in fewer steps, than all before.
    virtual void finding(const Finding&) {}
    // Every graph with at most so many preemptions was seen.
    virtual void bound_complete(std::uint32_t, const Coverage&) {}
    // Some ten times a second, whatever the search is doing.
    virtual void tick(const CampaignProgress&) {}
    // Nothing comes after this. `strategy` is null if the search could not be stopped in time.
    virtual void ended(const CampaignResult&, Strategy*) {}
};

}  // namespace raddle
