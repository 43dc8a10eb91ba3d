// The explanation that a schedule file allows by itself, when the program is gone: every step by canonical names,
// without stacks and sources.
#pragma once

#include "replay/explain/explanation.h"
#include "replay/schedule/schedule_file.h"

namespace raddle {

Explanation recorded_explanation(const ScheduleFile& file);

}  // namespace raddle
