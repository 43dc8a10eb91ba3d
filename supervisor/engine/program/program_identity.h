// The program that a schedule is for, as schedule files record it (Subject): from settings, and back.
#pragma once

#include "replay/schedule/schedule_file.h"
#include "supervisor/engine/program/process_settings.h"

namespace raddle {

// The command line with the absolute path of the executable.
std::vector<std::string> recorded_program(const Settings& settings, const ProcessOptions& process);

// Reads the executable and its libraries.
Subject subject_of(const Settings& settings, const ProcessOptions& process);

// The present settings for a subject. Paths are absolute, so that they mean the same in every directory.
std::vector<std::string> subject_options(const Settings& settings, const ProcessOptions& process);

// Visible instructions are numbered, and have other numbers in another build of the program.
Subject without_numbers_of_another_build(Subject recorded);

// The recorded settings and program, in the recorded directory. Throws BadInput.
struct Recalled {
    Settings settings;
    ProcessOptions process;
};
// `environment`: the one that its campaign recorded; none: that of this process.
Recalled recalled(const Subject& subject, std::optional<std::vector<std::string>> environment = {});

}  // namespace raddle
