// The program under test, as the command line describes it.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "supervisor/process/process_target.h"

namespace raddle::cli {

// Options about the program and its surroundings; a schedule means the same only under the same ones.
extern const std::vector<OptionRow> target_options;

// Throws CannotRun if there is no such program.
ProcessOptions process_options(const Arguments& arguments);

// Those of target_options that were given, to be given again.
std::vector<std::string> target_options_given(const Arguments& arguments);

int exit_code_of(const CannotRun& error);

}  // namespace raddle::cli
