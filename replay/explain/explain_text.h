// An explanation as text of at most 100 columns.
#pragma once

#include <string>

#include "replay/explain/explanation.h"

namespace raddle {

std::string text_of(const Explanation& explanation);
// "1 preemption; no schedule with fewer shows it"
std::string preemptions_text(const Explanation& explanation);
// The heading above the facts.
const char* facts_title(const Explanation& explanation);
// A divergence, a race or an execution that passes has no switch of threads that decides it.
bool may_have_decisive_switch(const Explanation& explanation);
// The lines under a bug in the report of a run: waiters or failure, and the decisive switch.
std::string brief_text_of(const Explanation& explanation, const std::string& margin);

}  // namespace raddle
