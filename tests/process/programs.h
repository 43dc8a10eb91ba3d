// Programs written as text in the tests, compiled with ordinary flags; and the samples (command_line.h).
#pragma once

#include <string>

#include "supervisor/process/process_target.h"
#include "tests/command_line.h"

namespace raddle::testing {

// Compiles the source, once per test process, and returns the path. `compiler`: "cc", "c++", "clang" …
std::string program(const std::string& source, const std::string& flags = "", const std::string& compiler = "cc");
std::string cxx_program(const std::string& source);

ProcessOptions running(const std::string& path);

Plan run_on();
Plan random_plan(std::uint64_t seed);
Plan following(const std::string& schedule);

// All events of an execution as text, for comparison.
std::string story_of(const Execution& execution);

// The number of processes that run the given executable.
int processes_of(const std::string& path);
// Sends SIGKILL to the youngest of them; false if there is none.
bool kill_one_of(const std::string& path);

}  // namespace raddle::testing
