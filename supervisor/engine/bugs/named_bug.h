// The bug, or the bugs, that a user names by one word: a number, a name, a path, a token, a schedule.
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
    schedule,   // the steps themselves: T0*2 T1
    token,
    bug,        // by its directory, its name or number in a campaign, or a schedule file; by no word the one found last
    every_bug,  // of a campaign, by its directory or the one its bugs are in
};

struct NamedBug {
    Named as = Named::bug;
    std::string word;             // as it was given, or where the one found last is
    std::filesystem::path path;   // of a bug: its directory, or a file; of every bug: the directory they are in
};

// No word: the bug found last. Throws BadInput or StoreError if the word names nothing.
NamedBug named_bug(const std::optional<std::string>& word, const Settings& settings, const Notices& say);

// If it is the only one there. Throws BadInput with the names of all if there are several.
std::filesystem::path only_bug_in(const std::filesystem::path& bugs);

}  // namespace raddle
