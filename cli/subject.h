// What a schedule is a schedule of, from a command line and back.
#pragma once

#include "cli/target.h"
#include "replay/schedule/schedule_file.h"

namespace raddle::cli {

// Looks at the executable and its libraries.
Subject subject_of(const Arguments& arguments, const ProcessOptions& process);

// The options of a subject as they hold now.
std::vector<std::string> subject_options(const Arguments& arguments, const ProcessOptions& process);

// Instructions that are visible are numbered, and have other numbers in another build of the program.
Subject without_numbers_of_another_build(Subject recorded);

// As if the recorded options and program had been given, in the directory they were given in. Throws BadInput.
struct Recalled {
    Arguments arguments;
    ProcessOptions process;
};
Recalled recalled(const Subject& subject);


}  // namespace raddle::cli
