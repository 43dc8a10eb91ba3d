// The files of a bug: a directory such as bugs/0001-deadlock with
//     report.txt         for people
//     schedule           the schedule that found it (schedule_file.h)
//     minimal.schedule   the simplest schedule known
//     stacks.json        the stacks of the steps that matter
//     report.html        the explanation as a page
//     stdout, stderr     output of the program under minimal.schedule
//     repro.sh           runs it again, from anywhere
//     repro.gdb          for gdb -x: runs it again in gdb
// A divergence has a directory such as bugs/0002-diverged, which only its owner can read, with
//     report.txt, report.html, repro.sh as above
//     schedule           the steps of the first execution
//     then.schedule      the steps of the one that went another way; none if it did not show again
//     divergence         what raddle found out (divergence_file.h)
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "replay/schedule/divergence_file.h"
#include "replay/schedule/schedule_file.h"
#include "supervisor/search/bug.h"

namespace raddle {

struct BugFiles {
    ScheduleFile found;
    ScheduleFile minimal;
    std::string report;
    std::string stacks;  // as JSON; empty: none
    std::string page;    // as HTML; empty: the bug was not explained
    std::string output, errors;
    std::string raddle;  // path of raddle, in case it is neither in PATH nor in $RADDLE
};

struct DivergenceFiles {
    ScheduleFile first;
    std::optional<ScheduleFile> then;
    DivergenceRecord record;
    std::string report;
    std::string page;
    std::string raddle;
};

// Replaces each file completely or leaves it as it was. Throws BadInput.
void write_bug(const std::filesystem::path& directory, const BugFiles& files);

void write_divergence(const std::filesystem::path& directory, const DivergenceFiles& files);

// Writes a simpler schedule: the text of a schedule file.
void write_minimal(const std::filesystem::path& directory, const std::string& text);

// "0001-deadlock"
std::string bug_name(unsigned number, Verdict verdict);

// "0001-deadlock"; empty if it has no directory.
std::string directory_name_of(const Bug& bug);
// The command line that replays it; empty if it has no directory.
std::string replay_command_of(const Bug& bug);

// The bugs in a directory, by number: minimised and filed. Unreadable ones are omitted.
std::vector<Bug> bugs_in(const std::filesystem::path& directory);
// Adds what their directories hold.
void add_files(std::vector<Bug>& bugs, const std::vector<Bug>& in_directories);
// Adds divergences that have a directory and are not among `bugs`.
void add_written_divergences(std::vector<Bug>& bugs, const std::vector<Bug>& in_directories);
// The schedule file of a bug from bugs_in().
ScheduleFile schedule_file_of(const Bug& bug);

// Whether this is the directory of a bug.
bool has_schedule(const std::filesystem::path& directory);

// The schedule that replays a bug, from its directory or from a file. Throws BadInput.
ScheduleFile read_bug(const std::filesystem::path& place);

// The record of a divergence, from its directory. Throws BadInput if it is missing or damaged.
DivergenceRecord read_divergence(const std::filesystem::path& directory);

}  // namespace raddle
