#include "cli/configuration.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/configuration_file.h"
#include "cli/help.h"
#include "supervisor/base/files.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* default_file = "raddle.toml";
constexpr std::size_t most_bytes = 1 << 20;
constexpr const char* program_key = "program";

bool is_row_of(const std::vector<SettingRow>& rows, const std::string& name) {
    return std::any_of(rows.begin(), rows.end(), [&](const SettingRow& row) { return row.name == name; });
}

// Options that choose the file itself, or print something instead of a run, cannot stand in the file.
bool is_of_the_command_line(const std::string& option) {
    const SettingRow* row = find_setting(option, command::campaigns | command::doctor);
    return row != nullptr && row->is_part_of(belongs::command_line);
}

// The options of all commands that read a configuration: the keys a file may use.
std::vector<SettingRow> possible_rows() {
    std::vector<SettingRow> all;
    for (const Command& command : commands()) {
        if (!reads_configuration(command)) continue;
        for (const SettingRow& row : options_of(command))
            if (!is_of_the_command_line(row.name) && !is_row_of(all, row.name)) all.push_back(row);
    }
    return all;
}

std::string text_of(const std::string& path) {
    if (const auto content = content_of(path, most_bytes)) return *content;
    if (errno == EFBIG) throw Usage(path + ": this is too large for a configuration (beyond 1 MB)");
    throw Usage(path + ": cannot be read: " + std::strerror(errno) +
                "; give another file with --config, or --no-config");
}

[[noreturn]] void refuse_unknown_key(const WrittenSetting& setting, const std::vector<SettingRow>& rows) {
    std::vector<std::string> names = {program_key};
    for (const SettingRow& row : rows) names.emplace_back(row.name);
    if (is_of_the_command_line(setting.key))
        refuse_at(setting.position, "'" + setting.key + "' is for the command line only");
    const std::string near = nearest(setting.key, names);
    refuse_at(setting.position,
              "there is no option '" + setting.key + "'" + (near.empty() ? "" : "; did you mean " + near + "?"));
}

// The same values as from a command line; nullopt for a flag that is off.
std::optional<std::vector<std::string>> values_of(const WrittenSetting& setting, const SettingRow& row) {
    const WrittenValue& value = setting.value;
    if (row.form == nullptr) {
        if (value.kind != WrittenValue::Kind::truth)
            refuse_at(value.position, "'" + setting.key + "' is on or off: expected true or false");
        if (value.text == "true") return std::vector<std::string>{};
        return std::nullopt;
    }
    if (value.kind == WrittenValue::Kind::list && !row.repeatable)
        refuse_at(value.position, "'" + setting.key + "' takes one value: expected " + row.form->expected);
    const std::vector<std::string> values =
        value.kind == WrittenValue::Kind::list ? value.list : std::vector<std::string>{value.text};
    for (const std::string& one : values)
        if (value.kind == WrittenValue::Kind::truth || !row.form->accepts(one))
            refuse_at(value.position,
                      "'" + setting.key + "': expected " + row.form->expected + ", found '" + one + "'");
    return values;
}

std::vector<std::string> program_of(const WrittenSetting& setting) {
    if (setting.value.kind != WrittenValue::Kind::list || setting.value.list.empty() || setting.value.list[0].empty())
        refuse_at(setting.value.position, "expected the program and its arguments, as [\"./prog\", \"arg\"]");
    return setting.value.list;
}

void check(const std::vector<WrittenSetting>& settings, const std::vector<SettingRow>& rows) {
    for (const WrittenSetting& setting : settings) {
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const SettingRow& one) { return one.name == setting.key; });
        if (setting.key == program_key)
            program_of(setting);
        else if (row == rows.end())
            refuse_unknown_key(setting, rows);
        else
            values_of(setting, *row);
    }
}

// Checks unused profiles too: a mistake shows at the first run, not at the first run with --profile.
void check(const ConfigurationFile& content, const std::vector<SettingRow>& rows) {
    check(content.settings, rows);
    for (const Profile& profile : content.profiles) check(profile.settings, rows);
}

const Profile& profile_named(const std::string& name, const std::vector<Profile>& profiles, const std::string& file) {
    std::string known;
    for (const Profile& profile : profiles) {
        if (profile.name == name) return profile;
        known += (known.empty() ? "" : ", ") + profile.name;
    }
    throw Usage(file + ": there is no [profile." + name + "]" +
                (known.empty() ? "; there are no profiles in this file" : "; there are " + printable(known)));
}

}  // namespace

bool reads_configuration(const Command& command) { return find_setting("config", command.bit) != nullptr; }

void configure(const Command& command, Arguments& arguments) {
    const bool named = arguments.given("config"), profiled = arguments.given("profile");
    if (arguments.given("no-config")) {
        if (named || profiled)
            throw Usage(std::string("raddle ") + command.name + ": --no-config does not go with --config or --profile");
        return;
    }
    const std::string file = named ? arguments.text("config") : default_file;
    std::error_code error;
    // A file named by --config may be a pipe; raddle.toml in the working directory has to be a regular file.
    if (!named && !fs::is_regular_file(file, error)) {
        if (profiled)
            throw Usage(std::string("raddle ") + command.name + ": --profile: there is no " + default_file +
                        " in the working directory; name a file with --config");
        return;
    }
    const ConfigurationFile content = read_configuration_file(text_of(file), file);
    check(content, possible_rows());

    const std::vector<SettingRow> rows = options_of(command);
    const auto take = [&](const std::vector<WrittenSetting>& settings, const std::string& origin) {
        for (const WrittenSetting& setting : settings) {
            if (setting.key == program_key) {
                if (arguments.words.empty()) arguments.offer_program(program_of(setting), origin);
                continue;
            }
            const auto row =
                std::find_if(rows.begin(), rows.end(), [&](const SettingRow& one) { return one.name == setting.key; });
            if (row != rows.end()) arguments.offer(*row, values_of(setting, *row), origin);
        }
    };
    if (profiled) {
        const std::string profile = arguments.text("profile");
        take(profile_named(profile, content.profiles, file).settings, file + ", profile " + profile);
    }
    take(content.settings, file);
}

// ---- --print-config

namespace {

std::string toml_text(const std::string& text) {
    std::string word = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') word += '\\';
        if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
            word += c;
            continue;
        }
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
        word += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : code;
    }
    return word + "\"";
}

std::string quoted_list(const std::vector<std::string>& texts) {
    std::vector<std::string> words;
    for (const std::string& text : texts) words.push_back(toml_text(text));
    return "[" + joined(words, ", ") + "]";
}

std::string value_text(const SettingRow& row, const Arguments& arguments) {
    if (row.form == nullptr) return arguments.given(row) ? "true" : "false";
    return row.repeatable ? quoted_list(arguments.all(row)) : toml_text(arguments.text(row));
}

nlohmann::ordered_json json_value(const SettingRow& row, const Arguments& arguments, bool holds) {
    if (row.form == nullptr) return arguments.given(row);
    if (!holds) return nullptr;
    if (row.repeatable) return arguments.all(row);
    return arguments.text(row);
}

std::string line_of(const std::string& setting, const std::string& origin) {
    return setting + std::string(setting.size() < 36 ? 36 - setting.size() : 1, ' ') + "# " + origin + "\n";
}

}  // namespace

std::string configuration_text(const Command& command, const Arguments& arguments, bool json) {
    nlohmann::ordered_json object = {{"schema", 1}};
    std::string text;
    const std::string program_origin = arguments.program_origin();
    if (!arguments.program.empty()) text += line_of("program = " + quoted_list(arguments.program), program_origin);
    object[program_key] = {{"value", arguments.program}, {"from", program_origin}};
    for (const SettingRow& row : options_of(command)) {
        if (is_of_the_command_line(row.name)) continue;
        const std::string origin = arguments.origin(row);
        const bool holds = row.form == nullptr || row.preset != nullptr || arguments.given(row);
        text += holds ? line_of(std::string(row.name) + " = " + value_text(row, arguments), origin)
                      : line_of("# " + std::string(row.name), "not given");
        object["options"][row.name] = {{"value", json_value(row, arguments, holds)},
                                       {"from", holds ? origin : "not given"}};
    }
    return json ? object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" : text;
}

}  // namespace raddle::cli
