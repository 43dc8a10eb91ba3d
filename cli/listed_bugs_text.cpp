#include "cli/listed_bugs_text.h"

#include <nlohmann/json.hpp>

#include "supervisor/base/text.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr int schema = 1;

std::string text_of(const ListedBug& bug) {
    std::string text = (bug.name.empty() ? "(not written)" : bug.name) + "  " + words_of(name_of(bug.verdict)) + ", " +
                       counted(bug.preemptions, "preemption");
    if (bug.times) text += ", seen " + counted(*bug.times, "time");
    if (bug.is_unstable())
        text += ", unstable: " + std::to_string(bug.reproduced) + " of " + counted(bug.runs, "replay") + " showed it";
    text += "\n  " + printable(bug.message) + "\n";
    return text + "  " +
           (bug.command.empty() ? "raddle run goes on with the campaign and writes it down" : bug.command) + "\n";
}

}  // namespace

std::string list_for_people(const fs::path& bugs, const std::vector<ListedBug>& listed) {
    const fs::path campaign = campaign_of(bugs);
    const std::string where = (campaign.empty() ? bugs : campaign).string();
    if (listed.empty())
        return "no bugs in " + where + "; raddle status " + shell_word(where) + " shows the explored part\n";
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
    // The output of a program may be no UTF-8.
    return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace raddle::cli
