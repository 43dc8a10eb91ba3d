// A simpler schedule for a bug, with more time than a run takes for it.
#pragma once

#include <optional>
#include <string>

#include "replay/schedule/proof.h"
#include "supervisor/engine/bugs/located_bug.h"
#include "supervisor/engine/program/interruption.h"

namespace raddle {

struct SimplerSchedule {
    enum class Found { simpler, gone, diverged, unstable };
    Found outcome = Found::simpler;
    std::string why;  // gone, diverged: the difference from the record
    Cost before, after;
    bool fewest = false;  // proven: no schedule with fewer preemptions shows the bug
    std::uint64_t executions = 0;
    std::string text;  // of the schedule file; a bug with a directory has it written there
};

// Throws BadInput for a bug that has no steps, or whose program changed.
SimplerSchedule simpler_schedule(const LocatedBug& bug, const Settings& settings, const Interruption& interruption);

}  // namespace raddle
