// The schedule of a bug on a program that is not the one it was recorded on: followed as far as the program can be
// recognised, by the names of its data, too.
#pragma once

#include "replay/schedule/replayer.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// `names` are those of the program as it is now, which `process` runs.
ReplayResult followed(Target& target, const Expected& expected, const ProcessOptions& process, Symbolizer& names,
                      const std::function<bool()>& give_up = {});

// "2 steps added and 1 left out"; empty if every step has its like.
std::string changes_in(const ReplayResult& followed);

}  // namespace raddle
