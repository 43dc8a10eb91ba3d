// A campaign that explores calls only claims every schedule of calls. That is every schedule if no memory steers the
// program: this file looks for memory that does.
#pragma once

#include <functional>
#include <string>

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/launch/process_options.h"

namespace raddle {

// Runs the program a few times and looks at its memory accesses. Returns the reason why schedules of calls are not all
// there are: a variable with two accesses that no call orders, or an obstacle to looking. Empty: there is none. Adds
// its executions to `executed`.
std::string unexplored_memory(const Settings& settings, const ProcessOptions& process,
                              const std::function<bool()>& is_interrupted, std::uint64_t& executed);

}  // namespace raddle
