// The program that a schedule is for, as schedule files record it (Subject): from settings, and back.
#pragma once

#include "replay/schedule/schedule_file.h"
#include "supervisor/engine/program/process_settings.h"

namespace raddle {

// Reads the executable and its libraries.
Subject subject_of(const Settings& settings, const ProcessOptions& process);

// The settings of a subject as they hold now. Paths are absolute: they mean the same wherever they are given again.
std::vector<std::string> subject_options(const Settings& settings, const ProcessOptions& process);

// Visible instructions are numbered, and have other numbers in another build of the program.
Subject without_numbers_of_another_build(Subject recorded);

// As if the recorded settings and program had been given, in the directory they were given in. Throws BadInput.
struct Recalled {
    Settings settings;
    ProcessOptions process;
};
// `environment`: the one that its campaign recorded; none: that of this process.
Recalled recalled(const Subject& subject, std::optional<std::vector<std::string>> environment = {});

}  // namespace raddle
