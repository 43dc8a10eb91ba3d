// Programs written down in the tests that run them, compiled as somebody else would; and the samples.
#pragma once

#include <string>

#include "supervisor/process/process_target.h"

namespace raddle::testing {

// The path of the executable made of this source, once a test process. `compiler`: "cc", "c++", "clang" …
std::string program(const std::string& source, const std::string& flags = "", const std::string& compiler = "cc");
std::string cxx_program(const std::string& source);
std::string sample(const std::string& name);  // "deadlock/abba"

ProcessOptions running(const std::string& path);

Plan run_on();
Plan random_plan(std::uint64_t seed);
Plan following(const std::string& schedule);

// All that an execution did, as text, to be compared.
std::string story_of(const Execution& execution);

// Processes that have the given file as their executable.
int processes_of(const std::string& path);
// SIGKILL to the youngest of them; false if there is none.
bool kill_one_of(const std::string& path);

}  // namespace raddle::testing
