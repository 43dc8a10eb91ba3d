// Divergences that an earlier run kept: read back, explained and replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "replay/schedule/divergence_file.h"
#include "supervisor/engine/bugs/located_bug.h"

namespace raddle {

// Fills in the explanation, without running anything.
void explain(Bug& bug, const DivergenceRecord& record, const ScheduleFile& first);

// Adds the sentence, the explanation and the directory to the divergences that are among `in_directories`.
void add_kept_divergences(std::vector<Bug>& divergences, const std::vector<Bug>& in_directories);

struct ReplayedDivergence {
    std::uint64_t times = 0, differed = 0;
    std::optional<Divergence> difference;  // the first, from the recorded execution, with names of the program
};

// Runs the schedule so many times, and compares each time with the first recorded execution.
ReplayedDivergence replay_divergence(const LocatedBug& bug, std::uint64_t times);

}  // namespace raddle
