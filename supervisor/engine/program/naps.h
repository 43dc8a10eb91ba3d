// --naps auto: whether the threads of a program take naps (preload/schedule/naps.h). They do if the program does not
// end without naps, and ends with them: its threads work until a sleeper, or the clock, says that it is enough. Counts
// decide, as for the memory level.
#pragma once

#include <functional>

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/launch/process_options.h"

namespace raddle {

// Runs the program once without naps, and only if it does not end, once with them.
bool needs_naps(const ProcessOptions& process, const std::function<bool()>& is_interrupted, std::uint64_t& executed);

// Sets the meaning of `auto` as if it had been given.
void settle_naps(Settings& settings, bool naps);

}  // namespace raddle
