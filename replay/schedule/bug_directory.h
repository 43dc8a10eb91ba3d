// What is kept of a bug: a directory such as bugs/0001-deadlock with
//     report.txt         for people
//     schedule           the schedule it was found with (schedule_file.h)
//     minimal.schedule   the simplest that was found since
//     stacks.json        where each of the steps that matter was called from
//     report.html        the same to look at
//     stdout, stderr     what the program printed under the latter
//     repro.sh           runs it again, from anywhere
//     repro.gdb          for gdb -x: the same in gdb
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "replay/schedule/schedule_file.h"
#include "supervisor/search/strategy.h"

namespace raddle {

struct BugFiles {
    ScheduleFile found;
    ScheduleFile minimal;
    std::string report;
    std::string stacks;          // as JSON; empty: none were taken
    std::string page;            // as HTML; empty: it was not explained
    std::string output, errors;
    std::string raddle;          // where the tool is, if it should be neither in PATH nor in $RADDLE
};

// Each file is there as a whole or as it was. Throws BadInput.
void write_bug(const std::filesystem::path& directory, const BugFiles& files);

// A simpler schedule than the one there is, as the text of a schedule file.
void write_minimal(const std::filesystem::path& directory, const std::string& text);

// "0001-deadlock"
std::string bug_name(unsigned number, Verdict verdict);

struct KnownBug {
    unsigned number = 0;
    std::filesystem::path directory;
    ScheduleFile minimal;
};
// Those in a directory of bugs, by number. What cannot be read is left out.
std::vector<KnownBug> bugs_in(const std::filesystem::path& directory);
// What was written of a finding; null if nothing was.
const KnownBug* find_bug(const std::vector<KnownBug>& bugs, const Finding& finding);

// Whether it is the directory of a bug.
bool has_schedule(const std::filesystem::path& directory);

// The schedule a bug is replayed by: of its directory, or of a file. Throws BadInput.
ScheduleFile read_bug(const std::filesystem::path& place);

}  // namespace raddle
