// Finds the steps between which the memory of two executions of one schedule came to differ. It holds both at the same
// step, compares all words, and bisects over the steps.
#pragma once

#include <functional>

#include "replay/schedule/divergence_file.h"
#include "supervisor/process/memory_snapshot.h"
#include "supervisor/process/process_target.h"

namespace raddle {

struct MemoryDivergence {
    bool was_read = true;    // otherwise the rest says nothing
    bool has_words = false;  // some word differed before the step; otherwise the rest is empty
    std::size_t after_step = 0;
    MemorySnapshot::Difference difference;
};

// `step` is the first that differs, counted from 1. Stops early if `is_over`. Throws CannotRun.
MemoryDivergence first_memory_difference(const ProcessOptions& process, const Schedule& schedule, std::size_t step,
                                         Across across, const std::function<bool()>& is_over);

}  // namespace raddle
