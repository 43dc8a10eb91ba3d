// A search as it was when its campaign was last committed.
#pragma once

#include <memory>

#include "store/campaign_store.h"

namespace raddle {

struct Resumed {
    std::unique_ptr<Strategy> strategy;
    std::uint64_t told_again = 0;  // executions learned from the journal
    std::uint64_t lost = 0;        // executions that are to be repeated: they do not count
    StoredProgress progress;       // without those
};

// The saved state and its pieces, and what was executed since told again without executing it. Throws StoreError.
Resumed recall(const CampaignStore& store, const std::string& strategy, const StrategyOptions& options);

// The same; then that is the state on disk. A campaign without state begins.
Resumed resume(CampaignStore& store, const std::string& strategy, const StrategyOptions& options);

}  // namespace raddle
