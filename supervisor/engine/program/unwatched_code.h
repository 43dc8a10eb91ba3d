// Code that two threads ran and whose accesses to memory were not looked at: its amount, for the result.
#pragma once

#include <string>

#include "supervisor/process/launch/process_options.h"

namespace raddle {

// Runs the schedule again, and counts the instructions of libraries that two threads run. Returns what was not looked
// at, with these counts; empty if the repetition shows nothing.
std::string count_unwatched_code(const ProcessOptions& process, const Schedule& schedule);

}  // namespace raddle
