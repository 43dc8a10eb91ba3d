#include "supervisor/engine/kept/campaign_directory.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "store/campaign_store.h"
#include "supervisor/base/checksum.h"
#include "supervisor/base/text.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr const char* home = "raddle.out";
constexpr const char* latest_link = "latest";

// The words of a setting in the hashed text. A stable format: see SettingRow::in_directory_name.
std::vector<std::string> words_of_question(const SettingRow& row, const Settings& settings,
                                           const std::string& strategy) {
    if (row.in_directory_name <= always_in_directory_name) {
        if (!row.is_for(strategy)) return {""};
        return {settings.given(row) ? "given " + settings.text(row) : settings.text(row)};
    }
    if (row.repeatable) return settings.all(row);
    const std::string option = SettingName(row).option();
    if (row.is_flag()) return settings.given(row) ? std::vector{option} : std::vector<std::string>{};
    const bool is_automatic =
        row.preset != nullptr && row.preset == std::string("auto") && settings.text(row) == "auto";
    const bool counts = settings.is_said(row) && !is_automatic;
    return counts ? std::vector{option + " " + settings.text(row)} : std::vector<std::string>{};
}

fs::path default_directory(const Settings& settings, const std::string& strategy) {
    const std::string executable = find_executable(settings.program.at(0));
    std::vector<std::string> words = settings.program;
    words[0] = fs::absolute(executable).string();
    std::map<int, const SettingRow*> rows;
    for (const SettingRow& row : setting_rows)
        if (row.in_directory_name != 0) rows[row.in_directory_name] = &row;
    std::vector<std::string> question = {strategy};
    for (const auto& [turn, row] : rows)
        for (const std::string& word : words_of_question(*row, settings, strategy)) question.push_back(word);
    const std::string name = fingerprint(shell_line(words) + "\n" + shell_line(question)).substr(0, 8);
    return fs::path(home) / (fs::path(executable).filename().string() + "-" + name);
}

}  // namespace

fs::path campaign_directory(const Settings& settings, const std::string& strategy) {
    return settings.given("campaign") ? fs::path(settings.text("campaign")) : default_directory(settings, strategy);
}

fs::path bugs_directory(const Settings& settings, const fs::path& campaign) {
    return settings.given("bugs") ? fs::path(settings.text("bugs")) : campaign.empty() ? fs::path() : campaign / "bugs";
}

fs::path newest_campaign() {
    const fs::path latest = fs::path(home) / latest_link;
    if (!CampaignStore::is_in(latest))
        throw StoreError("there is no campaign in " + std::string(home) +
                         " here; name its directory (as in raddle status DIR, raddle show 1 -C DIR)");
    return where_it_leads(latest);
}

fs::path point_newest_to(const fs::path& name) {
    const fs::path link = fs::path(home) / latest_link, fresh = fs::path(home) / "latest.new";
    std::error_code error;
    const fs::path before = fs::read_symlink(link, error);
    fs::remove(fresh, error);
    fs::create_directory_symlink(name, fresh, error);
    if (!error) fs::rename(fresh, link, error);
    return before;
}

void forget_newest(const fs::path& directory, const fs::path& before) {
    if (directory.parent_path() != home) return;
    std::error_code ignored;
    if (!before.empty())
        point_newest_to(before);
    else
        fs::remove(fs::path(home) / latest_link, ignored);
    fs::remove(home, ignored);  // if nothing else is in there
}

fs::path where_it_leads(const fs::path& directory) {
    std::error_code error;
    const fs::path target = fs::read_symlink(directory, error);
    return error ? directory : (directory.parent_path() / target).lexically_normal();
}

void set_aside(const fs::path& directory, const Notices& say) {
    if (const std::string holder = holder_of(directory); !holder.empty())
        throw StoreError(directory.string() + ": in use by " + holder + "; end it, or give another directory with -C");
    for (int number = 1;; ++number) {
        const fs::path aside = directory.string() + "." + std::to_string(number);
        if (fs::exists(aside)) continue;
        std::error_code error;
        fs::rename(directory, aside, error);
        if (error) throw StoreError(directory.string() + ": cannot be set aside: " + error.message());
        say("the campaign that was in " + directory.string() + " is in " + aside.string() + " now");
        return;
    }
}

}  // namespace raddle
