// A campaign runs many executions: it combines targets, a strategy and a budget. Each worker is a thread with its own
// target; all workers share the strategy.
//
//     Campaign campaign(make_target, make_strategy("portfolio", {}), {.jobs = 2});
//     const CampaignResult result = campaign.run({&progress}, stop_token);
//     return exit_code_of(verdict_of(result));
//
// A campaign claims nothing that it did not see: incomplete_because() names all that was cut short, lost or given up.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "supervisor/campaign/campaign_options.h"
#include "supervisor/campaign/campaign_result.h"
#include "supervisor/campaign/observer.h"

namespace raddle {

class CampaignState;

class Campaign {
public:
    Campaign(TargetFactory make_target, std::unique_ptr<Strategy> strategy, const CampaignOptions& options);
    ~Campaign();
    Campaign(const Campaign&) = delete;
    Campaign& operator=(const Campaign&) = delete;

    // Call it once. A failure of a target, the strategy or an observer is part of the result.
    CampaignResult run(const std::vector<Observer*>& observers, const std::stop_token& stop = {});

private:
    std::shared_ptr<CampaignState> state_;  // workers left behind hold it, too
};

}  // namespace raddle
