// The bug that a command line names: a directory, a schedule file, a token, or the number of one in a campaign. If it
// names none, the one found last is meant, which is said.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/subject.h"
#include "replay/replayer.h"
#include "replay/token.h"

namespace raddle::cli {

struct LocatedBug {
    std::string name;                   // as it was given, or where it is
    std::optional<ScheduleFile> file;   // none: of a token
    Expected expected;
    std::filesystem::path directory;    // of the bug, if it has one
    Recalled target;                    // the program to run it on, with its options
    std::string difference;             // of the program from the one it was recorded on; empty: none
    bool other_environment = false;
};

extern const std::vector<OptionRow> bug_place_options;

// Throws BadInput, StoreError or CannotRun.
LocatedBug locate_bug(const Arguments& arguments);

}  // namespace raddle::cli
