// Data races, as --races wants them: reported, only explored, or left out of sight.
#pragma once

#include <memory>

#include "cli/command.h"
#include "replay/race_judge.h"
#include "replay/replayer.h"
#include "supervisor/process/process_target.h"
#include "supervisor/race_watch.h"

namespace raddle::cli {

// Null where races are not reported.
std::shared_ptr<RaceWatch> race_watch_of(const Arguments& arguments, const ProcessOptions& process);

// What to look for when a bug is run again; nothing if it is no race.
IsWantedRace wanted_race(const Finding& finding);
// Of a program that changed since, any race is taken for it.
IsWantedRace wanted_race(const Expected& expected, bool of_changed_program);

}  // namespace raddle::cli
