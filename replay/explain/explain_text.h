// An explanation as text of at most 100 columns.
#pragma once

#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

std::string text_of(const Explanation& explanation);
// The lines under a bug in the report of a run: waiters or failure, and the decisive switch.
std::string brief_text_of(const Explanation& explanation, const std::string& margin);

}  // namespace raddle
