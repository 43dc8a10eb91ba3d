#include "supervisor/engine/trust/recorded_command.h"

#include <algorithm>
#include <filesystem>

#include "supervisor/base/text.h"

namespace raddle {

namespace fs = std::filesystem;

RecordedCommand command_of(const Settings& settings, const std::vector<std::string>& program,
                           const std::string& directory) {
    RecordedCommand command{program, directory, {}, settings.environment};
    for (const SettingRow& row : setting_rows) {
        if (!row.is_part_of(belongs::execution) || !settings.given(row)) continue;
        for (const std::string& value : settings.all(row))
            command.options.emplace_back(row.name,
                                         row.is_path() ? fs::absolute(value).lexically_normal().string() : value);
    }
    return command;
}

std::string described(const RecordedCommand& command) {
    std::vector<std::string> parts;
    if (!command.program.empty()) parts.push_back("program " + shell_line(command.program));
    if (!command.program.empty() && !command.directory.empty()) parts.push_back("in " + command.directory);
    for (const auto& [name, value] : command.options) parts.push_back("option --" + name + " " + shell_word(value));
    if (command.environment) {
        parts.push_back("with an environment of " + counted(command.environment->size(), "variable"));
        for (const std::string& entry : *command.environment)
            if (entry.starts_with("LD_")) parts.push_back(shell_word(entry));
    }
    return joined(parts, ", ");
}

}  // namespace raddle
