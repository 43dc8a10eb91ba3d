// Restores a search from the last commit of its campaign.
#pragma once

#include <memory>

#include "store/campaign_store.h"

namespace raddle {

struct Resumed {
    std::unique_ptr<Strategy> strategy;
    std::uint64_t told_again = 0;  // executions learned from the journal
    std::uint64_t lost = 0;        // executions that must be repeated: they do not count
    StoredProgress progress;       // without the lost executions
};

// Loads the state and its pieces, and teaches the search the journal without running it. Throws StoreError.
Resumed recall(const CampaignStore& store, const std::string& strategy, const StrategyOptions& options);

// The same, and then writes that state to disk. A campaign without state begins anew.
Resumed resume(CampaignStore& store, const std::string& strategy, const StrategyOptions& options);

}  // namespace raddle
