// Can a program be controlled, and if not, why, and what to do?
#pragma once

#include <string>
#include <vector>

namespace raddle {

struct Examination {
    bool controllable = true;
    std::vector<std::string> reasons;   // why not; each with what to do
    std::vector<std::string> remarks;   // what limits it, or is good to know
};

Examination examine(const std::string& path);

// Of what would only be found out after long. Throws CannotRun, with one line.
void refuse_if_never_controllable(const std::string& path);

// One line for a program whose process ended, with this status, before the shim could do anything.
std::string why_not_controlled(const std::string& path, int wait_status);

}  // namespace raddle
