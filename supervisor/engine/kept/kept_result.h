// What a kept campaign came to, over all its runs and as far as it is on disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/campaign_store.h"
#include "supervisor/campaign/campaign.h"

namespace raddle {

struct KeptResult {
    CampaignResult result;            // bugs that replays did not show again are apart
    std::optional<LastRun> last_run;  // none: a version ran it that did not note it
    bool is_running = false;
    std::vector<StoredProof> proofs;

    // Everything that was asked for is explored, whatever else was found.
    bool has_what_was_asked() const;
    // Null if it was not replayed.
    const StoredProof* proof_of(const Finding& finding) const;
};

KeptResult kept_result(const CampaignStore& store);

// As they were written down: with as few preemptions as replays showed to be enough, in names of functions and data. What
// was not written is as the search found it.
std::vector<StoredBug> bugs_as_written(const CampaignStore& store);

// The bugs, or whatever else was found; fewest preemptions first.
std::vector<FindingGroup> groups_of(const std::vector<StoredBug>& bugs, bool real);

}  // namespace raddle
