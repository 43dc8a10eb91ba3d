// The libraries of a program whose memory accesses count: all but those of the C runtime.
#pragma once

#include <string>
#include <vector>

#include "supervisor/trace/modules.h"

namespace raddle {

// The paths of the user libraries among the modules of an execution, in load order. Relative paths count from
// `directory` (empty: the current one).
std::vector<std::string> user_libraries(const Modules& modules, const std::string& directory);

// Whether it is one of the libraries whose accesses are not looked at, such as libc and the runtimes of sanitizers.
bool is_library_of_runtime(const std::string& path);

// Functions of the C++ runtime work on containers and strings of the program. The runtime's own variables are no
// concern of the program.
bool is_of_cxx_runtime(const std::string& path);

}  // namespace raddle
