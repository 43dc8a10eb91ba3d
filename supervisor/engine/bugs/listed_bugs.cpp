#include "supervisor/engine/bugs/listed_bugs.h"

#include <algorithm>

#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/kept/kept_result.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

ListedBug written(const KnownBug& known) {
    ListedBug bug;
    bug.name = known.directory.filename().string();
    bug.verdict = known.minimal.verdict;
    bug.preemptions = known.minimal.preemptions;
    bug.message = known.minimal.message;
    bug.directory = known.directory.string();
    bug.command = "raddle show " + shell_word(bug.directory);
    return bug;
}

ListedBug only_counted(const Finding& finding) {
    ListedBug bug;
    bug.verdict = finding.verdict;
    bug.preemptions = finding.preemptions;
    bug.message = finding.message;
    return bug;
}

void add_what_campaign_knows(const CampaignStore& store, const std::vector<KnownBug>& known,
                             std::vector<ListedBug>& listed) {
    const KeptResult kept = kept_result(store);
    for (const std::vector<Bug>* bugs : {&kept.result.bugs, &kept.result.unstable})
        for (const Bug& one : *bugs) {
            const KnownBug* found = find_bug(known, one.found);
            ListedBug& bug = found == nullptr ? listed.emplace_back(only_counted(one.found))
                                              : listed[static_cast<std::size_t>(found - known.data())];
            bug.times = one.found.times;
            if (one.proven) {
                bug.runs = one.proven->runs;
                bug.reproduced = one.proven->reproduced;
            }
        }
}

}  // namespace

fs::path campaign_of(const fs::path& bugs) {
    const fs::path parent = bugs.has_parent_path() ? bugs.parent_path() : fs::path(".");
    if (CampaignStore::is_in(parent)) return parent;
    std::error_code error;
    const fs::path real = fs::canonical(bugs, error).parent_path();
    return !error && CampaignStore::is_in(real) ? real : fs::path();
}

std::vector<ListedBug> bugs_listed(const fs::path& bugs) {
    const std::vector<KnownBug> known = bugs_in(bugs);
    std::vector<ListedBug> listed;
    for (const KnownBug& one : known) listed.push_back(written(one));
    if (const fs::path campaign = campaign_of(bugs); !campaign.empty())
        add_what_campaign_knows(CampaignStore(campaign, CampaignStore::Open::read), known, listed);
    return listed;
}

}  // namespace raddle
