#include "supervisor/engine/bugs/named_bug.h"

#include <algorithm>
#include <cctype>

#include "replay/schedule/token.h"
#include "store/campaign_store.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/kept/campaign_directory.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_quoted = 80;
constexpr std::size_t most_names = 10;
constexpr const char* bugs_name = "bugs";

bool is_number(const std::string& text) {
    return !text.empty() && text.size() <= 9 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// A word may be too long for a path: then the system reports an error.
bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

bool is_directory(const fs::path& path) {
    std::error_code error;
    return fs::is_directory(path, error);
}

bool is_schedule(const std::string& word) {
    return word.size() > 1 && word[0] == 'T' && std::isdigit(static_cast<unsigned char>(word[1])) != 0;
}

std::string names_of(const std::vector<std::string>& all) {
    if (all.size() <= most_names) return joined(all, ", ");
    return joined({all.begin(), all.begin() + most_names}, ", ") + " and " + std::to_string(all.size() - most_names) +
           " more";
}

std::string names_of(const std::vector<Bug>& bugs) {
    std::vector<std::string> names;
    for (const Bug& bug : bugs) names.push_back(directory_name_of(bug));
    return names_of(names);
}

// Drops the final slash that shells add.
fs::path plain(const fs::path& directory) {
    const fs::path path = directory.lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

fs::path bugs_meant(const Settings& settings) {
    return (settings.given("campaign") ? fs::path(settings.text("campaign")) : newest_campaign()) / bugs_name;
}

// Empty if the directory is neither a campaign nor its bugs/.
fs::path bugs_of(const fs::path& directory) {
    if (CampaignStore::is_in(directory)) return where_it_leads(directory) / bugs_name;
    const bool is_in_campaign = directory.filename() == bugs_name && CampaignStore::is_in(plain(directory / ".."));
    return is_in_campaign || !bugs_in(directory).empty() ? directory : fs::path();
}

std::vector<std::string> campaigns_in(const fs::path& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, error))
        if (!entry.is_symlink(error) && CampaignStore::is_in(entry.path()))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

NamedBug named_by_path(const std::string& word) {
    if (!is_directory(word)) return {Named::bug, word, word};
    const fs::path directory = plain(word);
    if (has_schedule(directory)) return {Named::bug, word, directory};
    if (const fs::path bugs = bugs_of(directory); !bugs.empty()) return {Named::every_bug, word, bugs};
    const std::vector<std::string> campaigns = campaigns_in(directory);
    if (campaigns.empty())
        throw BadInput(quoted(word, longest_quoted) + " is neither a bug's directory nor a campaign's");
    throw BadInput(quoted(word, longest_quoted) + " holds campaigns, not bugs; expected one of them (" +
                   names_of(campaigns) + "), as in " + (directory / campaigns.front()).string());
}

NamedBug named_in_campaign(const Settings& settings, const std::string& word) {
    const fs::path bugs = bugs_meant(settings);
    if (!is_number(word) && is_there(bugs / word)) return {Named::bug, word, bugs / word};
    const std::vector<Bug> known = bugs_in(bugs);
    for (const Bug& bug : known)
        if (is_number(word) && bug.filed->number == std::stoul(word)) return {Named::bug, word, bug.filed->directory};
    throw BadInput("there is no bug " + quoted(word, longest_quoted) +
                   ": expected a bug's directory, a schedule file, a token, or one of " + bugs.string() + " (" +
                   (known.empty() ? "there are none" : names_of(known)) + ")");
}

// Bugs are numbered in the order of their discovery.
NamedBug newest_bug(const Settings& settings, const Notices& say) {
    const fs::path bugs = bugs_meant(settings);
    const std::vector<Bug> known = bugs_in(bugs);
    if (known.empty())
        throw BadInput("there is no bug in " + bugs.parent_path().string() +
                       (settings.given("campaign") ? "" : ", the newest campaign") +
                       "; expected a bug's directory, a schedule file or a token");
    const fs::path newest = known.back().filed->directory;
    const bool is_real = is_bug(known.back().found.verdict);
    say(newest.string() + (is_real ? ", the bug found last" : ", the divergence found last"));
    return {Named::bug, newest.string(), newest};
}

}  // namespace

NamedBug named_bug(const std::optional<std::string>& word, const Settings& settings, const Notices& say) {
    if (!word) return newest_bug(settings, say);
    if (is_token(*word)) return {Named::token, *word, {}};
    if (!is_number(*word) && is_there(*word)) return named_by_path(*word);
    if (is_schedule(*word)) return {Named::schedule, *word, {}};
    return named_in_campaign(settings, *word);
}

fs::path only_bug_in(const fs::path& bugs) {
    const std::vector<Bug> known = bugs_in(bugs);
    if (known.empty()) throw BadInput("there is no bug in " + bugs.string());
    if (known.size() > 1)
        throw BadInput("there are several bugs in " + bugs.string() + "; expected one of them (" + names_of(known) +
                       "), as in " + known.front().filed->directory);
    return known.front().filed->directory;
}

}  // namespace raddle
