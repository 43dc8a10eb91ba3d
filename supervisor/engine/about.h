// What raddle consists of, and where it runs: for a report of a fault.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace raddle {

// Names and values: files, libraries, compiler, system. A file that is missing says so.
std::vector<std::pair<std::string, std::string>> about_this_raddle();

}  // namespace raddle
