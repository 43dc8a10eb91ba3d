#include "supervisor/engine/settings/settings.h"

#include <algorithm>
#include <iterator>

namespace raddle {

namespace {

constexpr const char* decided = "decided";

}  // namespace

bool SettingRow::is_for(std::string_view strategy) const {
    if (strategies == nullptr) return true;
    return std::any_of(strategy_rows().begin(), strategy_rows().end(),
                       [&](const StrategyRow& row) { return strategy == row.name && (row.*strategies)(); });
}

std::string SettingRow::names_of_strategies() const {
    std::string names;
    for (const StrategyRow& row : strategy_rows())
        if (strategies == nullptr || (row.*strategies)()) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

const SettingRow* find_setting(std::string_view name, CommandSet commands) {
    const auto row = std::find_if(std::begin(setting_rows), std::end(setting_rows), [&](const SettingRow& one) {
        return (one.commands & commands) != 0 && name == one.name;
    });
    return row == std::end(setting_rows) ? nullptr : row;
}

std::vector<SettingRow> settings_of(CommandSet command) {
    std::vector<SettingRow> rows;
    for (const SettingRow& row : setting_rows)
        if ((row.commands & command) != 0) rows.push_back(row);
    return rows;
}

Settings::Settings(CommandSet command) {
    for (const SettingRow& row : setting_rows)
        if ((row.commands & command) != 0 && row.preset != nullptr) presets_[row.name] = row.preset;
}

bool Settings::is_said(SettingName name) const { return given(name) && origin(name) != decided; }

std::string Settings::origin(SettingName name) const {
    const auto origin = origins_.find(name.text());
    return origin == origins_.end() ? "built in" : origin->second;
}

std::string Settings::program_origin() const { return program_origin_.empty() ? "built in" : program_origin_; }

std::string Settings::text(SettingName name) const {
    if (const auto found = given_.find(name.text()); found != given_.end())
        return found->second.empty() ? "" : found->second.back();
    const auto preset = presets_.find(name.text());
    return preset == presets_.end() ? "" : preset->second;
}

std::vector<std::string> Settings::all(SettingName name) const {
    const auto found = given_.find(name.text());
    return found == given_.end() ? std::vector<std::string>{} : found->second;
}

void Settings::give(const SettingRow& row, const std::string& value) {
    origins_[row.name] = command_line;
    std::vector<std::string>& values = given_[row.name];
    if (row.is_flag()) return;
    if (!row.repeatable) values.clear();
    values.push_back(value);
}

void Settings::turn_off(const SettingRow& flag) {
    given_.erase(flag.name);
    origins_[flag.name] = command_line;
}

void Settings::give_program(std::vector<std::string> line) {
    program = std::move(line);
    if (!program.empty()) program_origin_ = command_line;
}

void Settings::offer(SettingName name, const std::optional<std::vector<std::string>>& values,
                     const std::string& origin) {
    if (!origins_.try_emplace(name.text(), origin).second) return;
    if (values) given_[name.text()] = *values;
}

void Settings::offer_program(const std::vector<std::string>& line, const std::string& origin) {
    if (!program.empty()) return;
    program = line;
    program_origin_ = origin;
}

void Settings::decide(SettingName name, const std::vector<std::string>& values) {
    given_[name.text()] = values;
    origins_[name.text()] = decided;
}

void Settings::disregard(SettingName name) {
    if (on_command_line(name)) return;
    given_.erase(name.text());
    origins_.erase(name.text());
}

Settings settings_from(const std::vector<std::string>& words) {
    Settings settings;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const SettingRow* row =
            words[i].starts_with("--") ? find_setting(words[i].substr(2), command::programs) : nullptr;
        if (row == nullptr)
            throw BadInput("the schedule was recorded with " + words[i] +
                           ", a setting that this raddle does not have; use a newer raddle");
        if (row->is_flag()) {
            settings.give(*row, "");
            continue;
        }
        const std::string value = i + 1 < words.size() ? words[++i] : "";
        if (!row->form->accepts(value))
            throw BadInput("the schedule was recorded with --" + std::string(row->name) + " '" + value +
                           "': expected " + row->form->expected);
        settings.give(*row, value);
    }
    return settings;
}

}  // namespace raddle
