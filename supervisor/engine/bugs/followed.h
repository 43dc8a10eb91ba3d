// Runs the schedule of a bug on a changed program: as far as the program can be recognised, also by the names of its
// data.
#pragma once

#include "replay/schedule/replayer.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// `names`: of the present program, which `process` runs.
ReplayResult followed(Target& target, const Expected& expected, const ProcessOptions& process, Symbolizer& names,
                      const std::function<bool()>& give_up = {});

// "2 steps added and 1 left out"; empty if every step has a counterpart.
std::string changes_in(const ReplayResult& followed);

}  // namespace raddle
