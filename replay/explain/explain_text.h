// An explanation as text of at most 100 columns.
#pragma once

#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

std::string text_of(const Explanation& explanation);
// What fits under a bug in the report of a run: who waits where, or where it went wrong, and what decides.
std::string brief_text_of(const Explanation& explanation, const std::string& margin);

}  // namespace raddle
