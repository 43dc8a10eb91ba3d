// --patience: waits of this length and more run out only when nothing else can happen. Strategies that go by commuting
// events know no patience. A campaign that began without patience goes on without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/engine/settings/settings.h"

namespace raddle {

// In nanoseconds of virtual time; "none": MachineOptions::unlimited. Throws BadInput.
std::uint64_t patience_of(const std::string& text);

// Sets the meaning of the default for this strategy as if it had been given. `kept`: the patience of the campaign that
// goes on, as its identity has it; none: there is no such campaign.
void settle_patience(Settings& settings, const std::string& strategy, const std::optional<std::string>& kept);

// Leaves a patience that raddle decided on out of recorded settings, if no such wait was seen: it changed nothing.
std::vector<std::string> without_idle_patience(std::vector<std::string> words, const Settings& settings, bool seen);

// The assumption about waits, in one line for people. `seen`: such waits were seen; if not, nothing is assumed and the
// text is empty.
std::string assumed_about_waits(std::uint64_t patience, const std::string& strategy, bool seen);

}  // namespace raddle
