// Finds out if raddle can control a program, and if not, the reason and the remedy.
#pragma once

#include <string>
#include <vector>

#include "supervisor/engine/settings/settings.h"

namespace raddle {

struct Diagnosis {
    std::string executable;
    bool controllable = false;
    std::vector<std::string> lines;  // the reasons if it is not, remarks if it is
};

// Reads the executable; with `runs_it`, executes it once, too. Throws CannotRun if it cannot be found or executed.
Diagnosis diagnose(const Settings& settings, bool runs_it);

}  // namespace raddle
