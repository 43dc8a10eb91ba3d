// Saves and loads findings as part of a saved state.
#pragma once

#include "supervisor/search/strategy.h"

namespace raddle {

void save_findings(Writer& out, const std::vector<Finding>& findings);
std::vector<Finding> load_findings(Reader& in);

}  // namespace raddle
