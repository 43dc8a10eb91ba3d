// A schedule as a file: readable text that says what program it is of, what bug it shows, and what each step was, so
// that a replay can be held to it step by step. Kept by users and sent to others: never change the meaning of a
// version, add another (tests/replay/files holds one of each).
//
//     raddle schedule 1
//     # lines like this one, and empty ones, say nothing
//     program /home/u/abba                   a word of the command line each; odd characters as %20
//     argument 3
//     directory /home/u
//     option --spurious                      of raddle, that give the schedule its meaning
//     environment 5c11d0…                    a fingerprint
//     file build-id:3f2a… /home/u/abba       the executable and its libraries
//     verdict deadlock
//     preemptions 1
//     fewest yes                             whether it is proven that no schedule with fewer shows it
//     message nobody can go on: …
//     place mutex_lock abba+0x11f7 …         see supervisor/trace/bug_key.h
//     schedule T0*2 T1*2 T2*2                all choices on one line
//     steps 6
//     1 T0 thread_create thread:T1 done 0 abba+0x1234
//     …                                      number, thread, operation, object, effect, result, call site
//     name abba+0x4040 fork_of[1]            of static data among the objects, where it is known; version 2
//     checksum 0123456789abcdef              of all lines that say something
//
// A file without names is written as version 1, which is the same but for them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "replay/schedule/step.h"
#include "supervisor/trace/execution.h"

namespace raddle {

// A file that the program is made of, and what names its content.
struct ProgramFile {
    std::string path;
    std::string id;

    friend bool operator==(const ProgramFile&, const ProgramFile&) = default;
};

// What a schedule is a schedule of.
struct Subject {
    std::vector<std::string> program;   // and its arguments; the first is an absolute path
    std::string directory;
    std::vector<std::string> options;
    std::string environment;            // a fingerprint; empty: unknown
    std::vector<ProgramFile> files;     // the executable first

    friend bool operator==(const Subject&, const Subject&) = default;
};
// The same for the same program wherever it is: its content, arguments and options.
std::uint64_t identity_of(const Subject& subject);
// One line on what differs; empty if nothing does. Neither where files are counts nor the environment.
std::string difference(const Subject& recorded, const Subject& now);

struct ScheduleFile {
    Subject subject;
    Verdict verdict = Verdict::ok;
    std::uint32_t preemptions = 0;
    bool fewest = false;
    std::string message;
    std::string place;
    std::vector<RecordedStep> steps;
    std::map<std::string, std::string> names{};  // of objects, which another build may have elsewhere

    Schedule schedule() const;

    friend bool operator==(const ScheduleFile&, const ScheduleFile&) = default;
};

// A comment, a line each, stands below the first line.
std::string text_of(const ScheduleFile& file, const std::vector<std::string>& comment = {});
// Throws BadInput: name, line, what was found and what was expected.
ScheduleFile parse_schedule_file(const std::string& text, const std::string& name);

// Whether a text is meant to be such a file, whatever its version.
bool is_schedule_file(const std::string& text);

}  // namespace raddle
