// The program under test as settings describe it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "supervisor/engine/settings/settings.h"
#include "supervisor/process/process_target.h"

namespace raddle {

Independence independence_named(const std::string& name);

// Throws CannotRun if there is no such program, BadInput if the settings contradict each other.
// `code`: the code at the level that the settings ask for, if somebody decoded it already.
ProcessOptions process_options(const Settings& settings, std::shared_ptr<InstrumentedCode> code = nullptr);

// The environment before --env is added: the recorded one, or that of this process.
std::vector<std::string> base_environment(const Settings& settings);

// The settings to give again with a schedule: those that were given, and the instructions that became visible since.
std::vector<std::string> recorded_settings(const Settings& settings, const ProcessOptions& process);

}  // namespace raddle
