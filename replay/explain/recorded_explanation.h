// What a schedule file says by itself of its bug, where the program cannot be run any more: every step by canonical
// names, no stacks, no sources.
#pragma once

#include "replay/explain/explanation.h"
#include "replay/schedule/schedule_file.h"

namespace raddle {

Explanation recorded_explanation(const ScheduleFile& file);

}  // namespace raddle
