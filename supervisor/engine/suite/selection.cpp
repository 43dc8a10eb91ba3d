#include "supervisor/engine/suite/selection.h"

#include <algorithm>

namespace raddle {

bool matches_pattern(const std::string& pattern, const std::string& name) {
    // The last star, and the text that it stands for so far: a mismatch lets it stand for one character more.
    std::size_t at = 0, star = std::string::npos, after_star = 0;
    for (std::size_t i = 0; i < name.size();) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            after_star = i;
        } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[i])) {
            ++at;
            ++i;
        } else if (star != std::string::npos) {
            at = star + 1;
            i = ++after_star;
        } else {
            return false;
        }
    }
    return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(at), pattern.end(),
                       [](char c) { return c == '*'; });
}

std::vector<TestCase> selected(const std::vector<TestCase>& tests, const Settings& settings) {
    const std::vector<std::string> wanted = settings.all("filter"), unwanted = settings.all("exclude");
    const auto one_matches = [](const std::vector<std::string>& patterns, const std::string& name) {
        return std::any_of(patterns.begin(), patterns.end(),
                           [&](const std::string& pattern) { return matches_pattern(pattern, name); });
    };
    std::vector<TestCase> chosen;
    for (const TestCase& test : tests)
        if ((wanted.empty() || one_matches(wanted, test.name)) && !one_matches(unwanted, test.name))
            chosen.push_back(test);
    if (chosen.empty())
        throw BadInput(tests.empty() ? "there are no tests; nothing was run"
                                     : "no test passes --filter and --exclude; raddle test --list shows all names");
    if (!settings.given("shard")) return chosen;
    const Shard shard = *read_shard(settings.text("shard"));
    std::vector<TestCase> part;
    for (std::size_t i = shard.part - 1; i < chosen.size(); i += shard.all) part.push_back(chosen[i]);
    return part;
}

}  // namespace raddle
