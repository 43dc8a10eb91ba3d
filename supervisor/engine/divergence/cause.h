// Names what differed between two executions of one schedule, and the earlier step that is the likely cause: it runs
// the schedule once more up to there, with stacks and with notes of the calls.
#pragma once

#include <string>
#include <vector>

#include "replay/schedule/divergence_file.h"
#include "supervisor/engine/divergence/memory_bisection.h"
#include "supervisor/engine/divergence/repetitions.h"
#include "supervisor/engine/program/symbolizer.h"

namespace raddle {

// Fills in what the two executions show.
DivergenceRecord record_of(const Repetitions& repetitions, Symbolizer& names);

// Fills in words, steps and the likely cause. Returns the variables of the environment that the program asked for.
std::vector<std::string> find_cause(DivergenceRecord& record, const MemoryDivergence& memory,
                                    const Repetitions& repetitions, const ProcessOptions& process,
                                    const Schedule& schedule);

// A step with names of the program.
std::string text_of_step(RecordedStep step, Symbolizer& names);

}  // namespace raddle
