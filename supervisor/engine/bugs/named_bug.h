// Finds the bug, or all bugs, by one word of the user: a number, a name, a path, a token, a schedule.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "replay/schedule/bug_directory.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

enum class Named {
    schedule,  // the steps themselves: T0*2 T1
    token,
    bug,        // by directory, name or number in a campaign, or schedule file; without a word the newest bug
    every_bug,  // of a campaign, by its directory or its bugs/
};

struct NamedBug {
    Named as = Named::bug;
    std::string word;            // as given, or the path of the newest bug
    std::filesystem::path path;  // bug: its directory, or a file; every_bug: the directory of the bugs
};

// No word: the newest bug. Throws BadInput or StoreError if the word names nothing.
NamedBug named_bug(const std::optional<std::string>& word, const Settings& settings, const Notices& say);

// The only bug there. Throws BadInput with all names if there are several.
std::filesystem::path only_bug_in(const std::filesystem::path& bugs);

}  // namespace raddle
