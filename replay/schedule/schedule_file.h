// A schedule as a file: readable text with the program, the bug, and every step, so that a replay can be compared step
// by step. Users keep these files and send them to others: never change the meaning of a version, add another
// (tests/replay/files holds one of each).
//
//     raddle schedule 1
//     # lines like this one, and empty ones, mean nothing
//     program /home/u/abba                   a word of the command line each; odd characters as %20
//     argument 3
//     directory /home/u
//     option --spurious                      of raddle, that give the schedule its meaning
//     environment 5c11d0…                    a fingerprint
//     file build-id:3f2a… /home/u/abba       the executable and its libraries
//     verdict deadlock
//     preemptions 1
//     fewest yes                             proven: no schedule with fewer preemptions shows it
//     message nobody can go on: …
//     place mutex_lock abba+0x11f7 …         the bug key, see supervisor/trace/bug_key.h
//     schedule T0*2 T1*2 T2*2                all choices on one line
//     steps 6
//     1 T0 thread_create thread:T1 done 0 abba+0x1234
//     …                                      number, thread, operation, object, effect, result, call site
//     name abba+0x4040 fork_of[1]            name of static data among the objects, if known; version 2
//     checksum 0123456789abcdef              of all lines with a meaning
//
// A file without names is written as version 1, which is otherwise the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "replay/schedule/step.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// A file that the program loads, and the hash of its content.
struct ProgramFile {
    std::string path;
    std::string id;

    friend bool operator==(const ProgramFile&, const ProgramFile&) = default;
};

// The program that a schedule belongs to.
struct Subject {
    std::vector<std::string> program;  // with its arguments; the first word is an absolute path
    std::string directory;
    std::vector<std::string> options;
    std::string environment;         // a fingerprint; empty: unknown
    std::vector<ProgramFile> files;  // the executable first

    friend bool operator==(const Subject&, const Subject&) = default;
};
// Equal for the same program in any directory: it covers content, arguments and options.
std::uint64_t identity_of(const Subject& subject);
// One line about the first difference; empty if there is none. Paths of files and the environment do not count.
std::string difference(const Subject& recorded, const Subject& now);

struct ScheduleFile {
    Subject subject;
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;
    bool fewest = false;
    std::string message;
    std::string key;
    std::vector<RecordedStep> steps;
    std::map<std::string, std::string> names{};  // of objects, which may lie elsewhere in another build

    Schedule schedule() const;

    friend bool operator==(const ScheduleFile&, const ScheduleFile&) = default;
};

// `comment` follows the first line, a line each.
std::string text_of(const ScheduleFile& file, const std::vector<std::string>& comment = {});
// Throws BadInput with name, line, and the text found and expected.
ScheduleFile parse_schedule_file(const std::string& text, const std::string& name);

// Whether a text claims to be a schedule file of any version.
bool is_schedule_file(const std::string& text);

}  // namespace raddle
