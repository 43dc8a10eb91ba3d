#include "supervisor/engine/bugs/listed_bugs.h"

#include "replay/schedule/bug_directory.h"
#include "supervisor/engine/kept/kept_result.h"

namespace raddle {

namespace fs = std::filesystem;

fs::path campaign_of(const fs::path& bugs) {
    const fs::path parent = bugs.has_parent_path() ? bugs.parent_path() : fs::path(".");
    if (CampaignStore::is_in(parent)) return parent;
    std::error_code error;
    const fs::path real = fs::canonical(bugs, error).parent_path();
    return !error && CampaignStore::is_in(real) ? real : fs::path();
}

std::vector<Bug> bugs_listed(const fs::path& bugs) {
    std::vector<Bug> listed = bugs_in(bugs);
    const fs::path campaign = campaign_of(bugs);
    if (campaign.empty()) return listed;
    const KeptResult kept = kept_result(CampaignStore(campaign, CampaignStore::Open::read));
    for (const std::vector<Bug>* known : {&kept.result.bugs, &kept.result.unstable})
        for (const Bug& bug : *known) {
            Bug* written = find_bug(listed, key_of(bug.found));
            if (written == nullptr) {
                listed.push_back(bug);
                continue;
            }
            written->found = bug.found;
            written->proven = bug.proven;
        }
    // One record stands for all divergences with its key.
    for (const Bug& divergence : kept.result.disagreements)
        if (Bug* written = find_bug(listed, key_of(divergence.found))) written->found = divergence.found;
    return listed;
}

}  // namespace raddle
