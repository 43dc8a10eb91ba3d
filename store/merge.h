// Merges two campaigns with the same identity.
#pragma once

#include "store/campaign_store.h"

namespace raddle {

struct Merged {
    std::uint64_t before = 0;  // executions of the first campaign
    std::uint64_t other = 0;   // executions of the other
    std::uint64_t now = 0;     // executions of the merged campaign
    bool joined = false;       // false: the search that was further replaces the other
};

// Adds the knowledge of `other` to `store`; `other` is only read, and may be running. Two searches cannot be joined if
// they run their executions in one fixed order, or if they see different memory accesses: the one with more executions
// stands for both. Each has its own options, as each has its own visible set. Throws StoreError if the identities
// differ.
Merged merge(CampaignStore& store, const CampaignStore& other, const std::string& strategy,
             const StrategyOptions& options, const StrategyOptions& options_of_other);

}  // namespace raddle
