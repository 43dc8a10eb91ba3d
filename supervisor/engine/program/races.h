// Data races, as --races wants them: reported, only explored, or left out of sight.
#pragma once

#include <memory>

#include "replay/explain/race_verdict_target.h"
#include "replay/schedule/replayer.h"
#include "supervisor/campaign/race_watch.h"
#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// Null if races are not reported.
std::shared_ptr<RaceWatch> race_watch_of(const Settings& settings, const ProcessOptions& process);

// The race to look for when a bug runs again; nothing if it is no race.
IsWantedRace wanted_race(const Finding& finding);
// Any race of a changed program counts.
IsWantedRace wanted_race(const Expected& expected, bool of_changed_program);

}  // namespace raddle
