#include "cli/listed_bugs_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "replay/schedule/bug_directory.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr int bug_list_schema = 1;

// Explains it; empty: raddle has to find it again.
std::string show_command_of(const Bug& bug) {
    return bug.filed ? "raddle show " + shell_word(bug.filed->directory) : "";
}

std::string text_of(const Bug& bug) {
    const Finding& finding = bug.simplest();
    std::string text =
        (bug.filed ? directory_name_of(bug) : "(not written)") + "  " + words_of(name_of(finding.verdict));
    if (is_bug(finding.verdict)) text += ", " + counted(finding.preemptions, "preemption");
    if (bug.found.times > 0) text += ", seen " + counted(bug.found.times, "time");
    if (!bug.found.found_by.empty()) text += ", found by " + bug.found.found_by;
    if (bug.is_unstable())
        text += ", unstable: " + std::to_string(bug.proven->reproduced) + " of " + counted(bug.proven->runs, "replay") +
                " showed it";
    text += "\n  " + printable(finding.message) + "\n";
    const std::string command = show_command_of(bug);
    return text + "  " + (command.empty() ? "raddle run goes on with the campaign and writes it down" : command) + "\n";
}

}  // namespace

std::string list_for_people(const fs::path& bugs, const std::vector<Bug>& listed) {
    const fs::path campaign = campaign_of(bugs);
    const std::string where = (campaign.empty() ? bugs : campaign).string();
    if (listed.empty())
        return "no bugs in " + where + "; raddle status " + shell_word(where) + " shows the explored part\n";
    const auto is_real = [](const Bug& bug) { return is_bug(bug.found.verdict); };
    const auto bugs_listed = static_cast<std::size_t>(std::count_if(listed.begin(), listed.end(), is_real));
    std::vector<std::string> counts;
    if (bugs_listed > 0) counts.push_back(counted(bugs_listed, "bug"));
    if (bugs_listed < listed.size()) counts.push_back(counted(listed.size() - bugs_listed, "divergence"));
    std::string text = raddle::listed(counts) + " in " + where + "\n";
    for (const Bug& bug : listed) text += "\n" + text_of(bug);
    return text;
}

std::string list_for_machines(const fs::path& bugs, const std::vector<Bug>& listed) {
    using Json = nlohmann::ordered_json;
    const fs::path campaign = campaign_of(bugs);
    Json object;
    object["schema"] = bug_list_schema;
    object["campaign"] = campaign.empty() ? Json() : Json(campaign.string());
    object["bugs"] = Json::array();
    for (const Bug& bug : listed) {
        const std::string command = show_command_of(bug);
        object["bugs"].push_back({{"name", directory_name_of(bug)},
                                  {"kind", name_of(bug.found.verdict)},
                                  {"message", bug.simplest().message},
                                  {"preemptions", bug.simplest().preemptions},
                                  {"times", bug.found.times > 0 ? Json(bug.found.times) : Json()},
                                  {"unstable", bug.is_unstable()},
                                  {"directory", bug.filed ? Json(bug.filed->directory) : Json()},
                                  {"show", command.empty() ? Json() : Json(command)}});
    }
    // The output of a program may be no UTF-8.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::cli
