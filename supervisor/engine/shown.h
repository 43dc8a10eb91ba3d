// A bug, or a schedule, to be explained: the program to run it on and the way to run it again.
#pragma once

#include <string>

#include "replay/explain/explanation.h"
#include "supervisor/engine/bugs/named_bug.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

// Runs it once more and explains it. Throws BadInput, StoreError or CannotRun.
Explanation explanation_of(const NamedBug& named, const Settings& settings);

// The block for --suppressions that leaves this bug out. Runs nothing.
std::string suppression_of(const NamedBug& named, const Settings& settings);

}  // namespace raddle
