// A named bug (named_bug.h) with the program to run it on.
#pragma once

#include <filesystem>
#include <optional>

#include "replay/schedule/replayer.h"
#include "replay/schedule/token.h"
#include "supervisor/engine/bugs/named_bug.h"
#include "supervisor/engine/program/program_identity.h"

namespace raddle {

struct LocatedBug {
    std::string name;                  // as given, or its path
    std::optional<ScheduleFile> file;  // none: of a token
    Expected expected;
    std::filesystem::path directory;  // of the bug, if it has one
    Recalled target;                  // the program to run it on, with its options
    std::string difference;           // between the program and the recorded one; empty: none
    bool other_environment = false;
};

// The record of a bug that is no token and no schedule. Nothing runs.
struct RecordedBug {
    std::filesystem::path place;
    ScheduleFile file;
};
RecordedBug recorded_bug(const NamedBug& named);

// Throws BadInput, Untrusted, StoreError or CannotRun.
LocatedBug locate_bug(const NamedBug& named, const Settings& settings);

}  // namespace raddle
