// The settings of raddle: one table (settings.def), and values for them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/engine/settings/values.h"
#include "supervisor/search/strategy.h"

namespace raddle {

// The commands with a setting, one bit each.
using CommandSet = std::uint32_t;
namespace command {
inline constexpr CommandSet run = 1, replay = 2, minimize = 4, show = 8, report = 16, status = 32, doctor = 64,
                            other = 128, test = 256, version = 512, serve = 1024;
inline constexpr CommandSet programs = run | replay | minimize | show | doctor | test;  // these run a program
inline constexpr CommandSet campaigns = run | test;                                     // these explore one
inline constexpr CommandSet every = 2047;
}  // namespace command

// The parts of raddle that depend on a setting, one bit each. A setting without a bit may change from run to run of a
// campaign: it is about the amount of work, or the output.
using Belongs = std::uint32_t;
namespace belongs {
inline constexpr Belongs identity = 1;         // the campaign's identity: another value is another campaign
inline constexpr Belongs search = 2;           // the saved search
inline constexpr Belongs schedule = 4;         // a schedule file records it, and a replay needs the same
inline constexpr Belongs judging = 8;          // decides between bug and pass; the executions are the same
inline constexpr Belongs channel = 16;         // the shim is told
inline constexpr Belongs memory = 32;          // about accesses to memory: needs --memory
inline constexpr Belongs many_schedules = 64;  // about a search: means nothing to one schedule (--schedule)
inline constexpr Belongs command_line = 128;   // not for a configuration file
inline constexpr Belongs execution = 256;      // decides what is executed: a stranger's record needs --trust
}  // namespace belongs

struct SettingRow {
    CommandSet commands = 0;
    const char* name = "";            // without --
    char letter = 0;                  // 0: none
    const char* argument = nullptr;   // the word for its value; null: a flag, which takes none
    const ValueForm* form = nullptr;  // null: a flag
    const char* preset = nullptr;     // the value if none is given; null: none
    const char* group = "";           // heading under which --help shows it
    bool repeatable = false;
    Belongs belongs = 0;
    // Its turn in the name of the campaign's directory; 0: not part of it. Names are stored on disk: never renumber.
    // The first always_in_directory_name count with their presets, the others only if they are given.
    int in_directory_name = 0;
    bool (StrategyRow::*strategies)() const = nullptr;  // the strategies that take it; null: all
    const char* text = "";
    bool common = false;  // on the one screen of --help; --help-all shows the others too

    bool is_flag() const { return form == nullptr; }
    bool is_part_of(Belongs what) const { return (belongs & what) != 0; }
    bool is_path() const {
        return form != nullptr && (form->completes == Completes::files || form->completes == Completes::directories);
    }
    // The strategy takes this setting.
    bool is_for(std::string_view strategy) const;
    // The names of these strategies: "random, pct, pos".
    std::string names_of_strategies() const;
};

inline constexpr int always_in_directory_name = 8;

namespace settings_table {
using belongs::channel, belongs::command_line, belongs::execution, belongs::identity, belongs::judging,
    belongs::many_schedules, belongs::memory, belongs::schedule, belongs::search;
using command::campaigns, command::doctor, command::every, command::minimize, command::programs, command::replay,
    command::report, command::run, command::serve, command::show, command::status, command::test, command::version;
inline constexpr SettingRow rows[] = {
#include "supervisor/engine/settings/settings.def"
};
}  // namespace settings_table

inline constexpr const auto& setting_rows = settings_table::rows;

// The name of a setting. A name without a row does not compile.
class SettingName {
public:
    consteval SettingName(const char* name) : name_(name) {
        bool is_known = false;
        for (const SettingRow& row : setting_rows) is_known |= std::string_view(row.name) == name_;
        if (!is_known) throw "settings.def has no row of this name";
    }
    SettingName(const SettingRow& row) : name_(row.name) {}

    std::string text() const { return std::string(name_); }
    std::string option() const { return "--" + std::string(name_); }
    friend bool operator==(const SettingName& a, const SettingName& b) { return a.name_ == b.name_; }

private:
    std::string_view name_;
};

// The row of that name for one of these commands; null if there is none.
const SettingRow* find_setting(std::string_view name, CommandSet commands = command::every);
// The rows of one command, in the order of the table.
std::vector<SettingRow> settings_of(CommandSet command);

// The settings that a front end passes to the engine, and the program.
class Settings {
public:
    Settings() : Settings(command::run) {}
    explicit Settings(CommandSet command);

    // True for a flag that is on. A value that raddle decided on counts as given.
    bool given(SettingName name) const { return given_.contains(name.text()); }
    bool on_command_line(SettingName name) const { return origin(name) == command_line; }
    bool is_said(SettingName name) const;  // given, and not decided by raddle
    // "command line", "raddle.toml, profile ci", "built in"
    std::string origin(SettingName name) const;
    std::string program_origin() const;
    // The given value, else the default, else empty.
    std::string text(SettingName name) const;
    std::vector<std::string> all(SettingName name) const;

    // A value of the command line. It replaces an earlier one unless the setting is repeatable.
    void give(const SettingRow& row, const std::string& value);
    void turn_off(const SettingRow& flag);
    void give_program(std::vector<std::string> line);
    // A value from elsewhere, valid if there is none yet. Nothing: a flag that is off.
    void offer(SettingName name, const std::optional<std::vector<std::string>>& values, const std::string& origin);
    void offer_program(const std::vector<std::string>& line, const std::string& origin);
    // A value that raddle chose.
    void decide(SettingName name, const std::vector<std::string>& values);
    // Forgets a value that is not from the command line.
    void disregard(SettingName name);

    std::vector<std::string> program;  // and its arguments
    // The environment before --env is added: the recorded one. None: that of this process.
    std::optional<std::vector<std::string>> environment;

    static constexpr const char* command_line = "command line";

private:
    std::map<std::string, std::vector<std::string>> given_;
    std::map<std::string, std::string> origins_;  // of each given setting, and each flag turned off
    std::string program_origin_;
    std::map<std::string, std::string> presets_;
};

// Reads long names and values, as schedule files record them. Throws BadInput.
Settings settings_from(const std::vector<std::string>& words);

}  // namespace raddle
