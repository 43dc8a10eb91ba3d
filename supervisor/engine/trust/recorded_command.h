// What a record makes raddle execute: the program with its arguments, where, and the options and the environment that
// can change what is executed.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "supervisor/engine/settings/settings.h"

namespace raddle {

struct RecordedCommand {
    std::vector<std::string> program;
    std::string directory;
    std::vector<std::pair<std::string, std::string>> options;  // name and value of each
    std::optional<std::vector<std::string>> environment;       // none: that of this process
};

// Of the settings (settings.def: belongs::execution) and their environment.
RecordedCommand command_of(const Settings& settings, const std::vector<std::string>& program,
                           const std::string& directory);

// Its parts in one line, for people. The environment is as long as a page, so only what is notable of it.
std::string described(const RecordedCommand& command);

}  // namespace raddle
