#include "supervisor/engine/kept/campaign_identity.h"

#include <filesystem>

#include "store/build_id.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/engine/version.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

// --instrument takes names and patterns, too, which are no files.
std::string file_text(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) ? path + " (" + build_id_of(path) + ")" : path;
}

const char* fork_place_text(ForkAt place) {
    switch (place) {
        case ForkAt::first_thread: return "auto";
        case ForkAt::start: return "start";
        case ForkAt::never: return "exec";
    }
    return "?";
}

// The identity has these in another form: the directory with its full path, the environment variable by variable.
bool has_rows_of_its_own(SettingName name) { return name == "chdir" || name == "env"; }

std::string value_as_given(const SettingRow& row, const Settings& settings) {
    if (row.is_flag()) return settings.given(row) ? "given" : "";
    if (row.form == &any_count || row.form == &positive_count) return std::to_string(count_of(settings.text(row)));
    std::string text;
    const std::vector<std::string> values = row.repeatable ? settings.all(row) : std::vector{settings.text(row)};
    for (const std::string& value : values)
        text += (text.empty() ? "" : "\n") + (row.is_path() ? file_text(value) : value);
    return text;
}

}  // namespace

std::string identity_value(const SettingRow& row, const Settings& settings, const ProcessOptions& process,
                           const std::string& strategy) {
    const SettingName name = row;
    if (name == "strategy") return strategy;
    if (name == "fork-at") return fork_place_text(process.fork_at);
    if (name == "memory") return name_of(process.code ? process.code->level() : MemoryLevel::sync);
    if (name == "patience") return process.machine.limits_patience() ? std::to_string(process.machine.patience) : "";
    if (name == "max-threads") return settings.text(row);
    if (name == "naps") return process.naps ? "always" : "";
    if (name == "races") return settings.text("races") == "ignore" ? "ignore" : "";
    return value_as_given(row, settings);
}

Identity campaign_identity(const Settings& settings, const ProcessOptions& process, const std::string& strategy) {
    const fs::path executable = fs::absolute(find_executable(process.argv[0]));
    const std::vector<std::string> environment = wanted_environment(process);
    Identity identity;
    identity.add("the command line", shell_line(settings.program));
    for (const SettingRow& row : setting_rows)
        if (row.is_part_of(belongs::identity) && row.is_for(strategy) && !has_rows_of_its_own(row))
            identity.add(SettingName(row).option(), identity_value(row, settings, process, strategy));
    identity.add("the working directory",
                 process.directory.empty() ? fs::current_path().string() : fs::absolute(process.directory).string());
    identity.add_files(executable, environment);
    identity.add_processor();
    identity.add_environment(environment);
    identity.add("the version of raddle", version);
    return identity;
}

StrategyOptions search_options(const IdentityValue& value_of) {
    StrategyOptions options;
    const auto number = [&](SettingName name, std::uint64_t otherwise) {
        return read_count(value_of(name)).value_or(otherwise);
    };
    options.machine.independence = independence_named(value_of("independence"));
    options.machine.looks_for_races = value_of("races") == "report";
    options.machine.spurious_wakeups = !value_of("spurious").empty();
    options.machine.patience = number("patience", MachineOptions::unlimited);
    options.machine.has_focus = !value_of("focus").empty();
    options.machine.max_threads = static_cast<std::uint32_t>(number("max-threads", 0));
    options.max_steps = number("max-steps", options.max_steps);
    options.seed = number("seed", options.seed);
    options.depth = static_cast<std::uint32_t>(number("depth", options.depth));
    return options;
}

StrategyOptions search_options(const Identity& identity) {
    return search_options([&](SettingName name) { return identity.value_of(name.option()); });
}

}  // namespace raddle
