// Explains a bug or a schedule for raddle show.
#pragma once

#include <string>

#include "replay/explain/explanation.h"
#include "supervisor/engine/bugs/named_bug.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

// Runs it once more and explains it; a record that is not trusted is explained as it is. Throws BadInput, StoreError or
// CannotRun.
Explanation explanation_of(const NamedBug& named, const Settings& settings);

// The block for --suppressions about this bug. Runs nothing.
std::string suppression_of(const NamedBug& named);

}  // namespace raddle
