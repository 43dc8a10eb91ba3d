// The result of a kept campaign, over all its runs, as on disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/campaign_store.h"
#include "supervisor/campaign/campaign.h"

namespace raddle {

struct KeptResult {
    CampaignResult result;            // with unstable bugs apart
    std::optional<LastRun> last_run;  // none: an older version ran it
    bool is_running = false;
    std::string assumed{};  // about waits (program/patience.h); empty: nothing
    SeenOutputs outputs;

    // Everything asked for is explored, whatever was found.
    bool has_what_was_asked() const;
};

KeptResult kept_result(const CampaignStore& store);

// The assumption of the campaign about waits (program/patience.h); empty: none so far.
std::string assumed_about_waits(const CampaignStore& store, const StoredProgress& progress);

// The bugs with the content of their directories.
std::vector<Bug> bugs_as_written(const CampaignStore& store);

// Sorts findings into bugs and disagreements; fewest preemptions first.
void sort_into(CampaignResult& result, const std::vector<Bug>& findings);

}  // namespace raddle
