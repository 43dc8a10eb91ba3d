#include "supervisor/engine/kept/judging.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "supervisor/base/text.h"

namespace raddle {

namespace {

// An option and its value on two lines.
std::vector<std::string> words_in(const std::string& rules) {
    std::vector<std::string> words;
    std::istringstream lines(rules);
    for (std::string line; std::getline(lines, line);) words.push_back(line);
    return words;
}

// The rules as sets: what fails, and the exit statuses that pass.
struct Rules {
    std::set<std::string> fails, passes;
    bool any_status = false;

    explicit Rules(const std::string& rules) {
        const Settings settings = settings_from(words_in(rules));
        for (const std::string& what : settings.all("fail-on"))
            if (what != "exit" && what != "signal") fails.insert(what);  // these always do
        for (const std::string& status : settings.all("expect-exit")) passes.insert(status);
        any_status = passes.contains("any");
        if (passes.empty()) passes.insert("0");
    }
};

}  // namespace

std::string judging_rules(const Settings& settings) {
    std::string rules;
    for (const SettingRow& row : setting_rows) {
        // Suppressions are looked at in every report anew.
        if (!row.is_part_of(belongs::judging) || !row.is_part_of(belongs::schedule)) continue;
        std::vector<std::string> values = settings.all(row);
        std::sort(values.begin(), values.end());
        for (const std::string& value : values)
            rules += (rules.empty() ? "" : "\n") + SettingName(row).option() + "\n" + value;
    }
    return rules;
}

std::string words_of_rules(const std::string& rules) {
    return rules.empty() ? "the default rules" : shell_line(words_in(rules));
}

bool is_at_least_as_strict(const std::string& old, const std::string& now) {
    const Rules before(old), after(now);
    const bool fails_as_much =
        std::includes(before.fails.begin(), before.fails.end(), after.fails.begin(), after.fails.end());
    const bool passes_no_more =
        after.any_status || (!before.any_status && std::includes(after.passes.begin(), after.passes.end(),
                                                                 before.passes.begin(), before.passes.end()));
    return fails_as_much && passes_no_more;
}

std::vector<std::string> judged_otherwise(const CampaignStore& store) {
    const std::vector<StoredJudging> all = store.judging();
    const auto now = std::find_if(all.begin(), all.end(), [](const StoredJudging& one) { return one.is_current; });
    std::vector<std::string> lines;
    for (const StoredJudging& one : all) {
        if (one.is_current || one.executions == 0 || is_at_least_as_strict(one.rules, now->rules)) continue;
        lines.push_back(counted(one.executions, "execution") + " passed by other rules (" + words_of_rules(one.rules) +
                        "; now " + words_of_rules(now->rules) + "); --resume never judges all anew");
    }
    return lines;
}

}  // namespace raddle
