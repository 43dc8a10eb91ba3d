#include "cli/listed_bugs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/kept_result.h"
#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr int schema = 1;

// Empty if these are no campaign's.
fs::path campaign_of(const fs::path& bugs) {
    const fs::path parent = bugs.has_parent_path() ? bugs.parent_path() : fs::path(".");
    if (CampaignStore::is_in(parent)) return parent;
    std::error_code error;
    const fs::path real = fs::canonical(bugs, error).parent_path();
    return !error && CampaignStore::is_in(real) ? real : fs::path();
}

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

void add_what_campaign_knows(const CampaignStore& store, const std::vector<KnownBug>& known, std::vector<ListedBug>& listed) {
    const KeptResult kept = kept_result(store);
    for (const std::vector<FindingGroup>* groups : {&kept.result.bugs, &kept.result.unstable})
        for (const FindingGroup& group : *groups) {
            const KnownBug* found = find_bug(known, group.first);
            ListedBug& bug = found == nullptr ? listed.emplace_back(only_counted(group.first)) : listed[static_cast<std::size_t>(found - known.data())];
            bug.times = group.times;
            if (const StoredProof* proof = kept.proof_of(group.first)) {
                bug.runs = proof->runs;
                bug.reproduced = proof->reproduced;
            }
        }
}

std::string text_of(const ListedBug& bug) {
    std::string text = (bug.name.empty() ? "(not written)" : bug.name) + "  " + words_of(name_of(bug.verdict)) + ", " + counted(bug.preemptions, "preemption");
    if (bug.times) text += ", seen " + counted(*bug.times, "time");
    if (bug.is_unstable()) text += ", unstable: " + std::to_string(bug.reproduced) + " of " + counted(bug.runs, "replay") + " showed it";
    text += "\n  " + printable(bug.message) + "\n";
    return text + "  " + (bug.command.empty() ? "raddle run goes on with the campaign and writes it down" : bug.command) + "\n";
}

}  // namespace

std::vector<ListedBug> bugs_listed(const fs::path& bugs) {
    const std::vector<KnownBug> known = bugs_in(bugs);
    std::vector<ListedBug> listed;
    for (const KnownBug& one : known) listed.push_back(written(one));
    if (const fs::path campaign = campaign_of(bugs); !campaign.empty())
        add_what_campaign_knows(CampaignStore(campaign, CampaignStore::Open::read), known, listed);
    return listed;
}

std::string list_for_people(const fs::path& bugs, const std::vector<ListedBug>& listed) {
    const fs::path campaign = campaign_of(bugs);
    const std::string where = (campaign.empty() ? bugs : campaign).string();
    if (listed.empty()) return "no bugs in " + where + "; raddle status " + shell_word(where) + " says what was explored\n";
    std::string text = counted(listed.size(), "bug") + " in " + where + "\n";
    for (const ListedBug& bug : listed) text += "\n" + text_of(bug);
    return text;
}

std::string list_for_machines(const fs::path& bugs, const std::vector<ListedBug>& listed) {
    using Json = nlohmann::ordered_json;
    const fs::path campaign = campaign_of(bugs);
    Json object;
    object["schema"] = schema;
    object["campaign"] = campaign.empty() ? Json() : Json(campaign.string());
    object["bugs"] = Json::array();
    for (const ListedBug& bug : listed)
        object["bugs"].push_back({{"name", bug.name},
                                  {"kind", name_of(bug.verdict)},
                                  {"message", bug.message},
                                  {"preemptions", bug.preemptions},
                                  {"times", bug.times ? Json(*bug.times) : Json()},
                                  {"unstable", bug.is_unstable()},
                                  {"directory", bug.directory.empty() ? Json() : Json(bug.directory)},
                                  {"show", bug.command.empty() ? Json() : Json(bug.command)}});
    // What a program says need not be UTF-8.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::cli
