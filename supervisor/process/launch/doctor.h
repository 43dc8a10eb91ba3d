// Checks whether raddle can control a program; if not, it names the reason and the remedy.
#pragma once

#include <string>
#include <vector>

namespace raddle {

struct Examination {
    bool controllable = true;
    std::vector<std::string> reasons;  // each with its remedy
    std::vector<std::string> remarks;  // limits and advice
};

Examination examine(const std::string& path);

// Refuses a program that would fail only after a long time otherwise. Throws CannotRun with one line.
void refuse_if_never_controllable(const std::string& path);

// One line about a program that ended with this status before the shim took control.
std::string why_not_controlled(const std::string& path, int wait_status);

}  // namespace raddle
