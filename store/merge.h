// Two campaigns of one identity become one.
#pragma once

#include "store/campaign_store.h"

namespace raddle {

struct Merged {
    std::uint64_t before = 0;  // executions of the one
    std::uint64_t other = 0;   // of the other
    std::uint64_t now = 0;     // of both together
    bool joined = false;       // else the further one stands for both
};

// What the other one knows goes into this one; the other is only read, and may be running. Searches that go through
// their executions in one order have nothing to join: the one that is further has done what the other has. Throws
// StoreError if the two are about different things.
Merged merge(CampaignStore& store, const CampaignStore& other, const std::string& strategy,
             const StrategyOptions& options);

}  // namespace raddle
