#include "supervisor/engine/program/run_settings.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "replay/schedule/schedule_file.h"
#include "supervisor/base/files.h"
#include "supervisor/engine/program/verdict_rules.h"

namespace raddle {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw BadInput("raddle run: " + what); }

constexpr SettingName of_the_store[] = {"campaign", "resume", "rebase"};

// Leaves out a setting of the configuration; refuses one of the command line.
void leave_out(Settings& settings, SettingName name, const std::string& why) {
    if (!settings.given(name)) return;
    if (settings.on_command_line(name)) refuse(why);
    settings.disregard(name);
}

void settle_strategy(Settings& settings) {
    const std::string strategy = strategy_name(settings);
    if (!strategy_row(strategy).takes_values() && settings.text("independence") == name_of(Independence::values) &&
        !settings.given("schedule"))
        refuse("--independence values is for the strategies portfolio, bounded and cartesian, not for " + strategy);
    for (const SettingRow& row : settings_of(command::run)) {
        const SettingName name = row;
        if (row.is_for(strategy) || name == "seed") continue;  // a seed may stand in every command of a script
        if ((name == "bound" || name == "patience") && settings.text(name) == "none") continue;
        const std::string names = row.names_of_strategies();
        const bool is_one = names.find(',') == std::string::npos;
        leave_out(settings, name,
                  name.option().append(" is for the ").append(is_one ? "strategy " : "strategies ").append(names) +
                      ", not for " + strategy);
    }
}

void settle_store(Settings& settings) {
    if (settings.on_command_line("no-store") && settings.given("no-store"))
        for (const SettingName name : of_the_store) settings.disregard(name);
    for (const SettingName name : of_the_store)
        if (settings.on_command_line(name)) settings.disregard("no-store");
}

void settle_output(Settings& settings) {
    if (settings.on_command_line("quiet")) settings.disregard("verbose");
    if (settings.on_command_line("verbose")) settings.disregard("quiet");
    const bool inherits = settings.text("output") == "inherit";
    if (settings.given("json") && inherits)
        refuse("--json and --output inherit would both write to standard output; choose one");
    const VerdictRules rules = verdict_rules_of(settings);
    if (inherits && (settings.given("outcomes") || rules.same_output || rules.reads_errors))
        refuse("--output inherit gives away what --outcomes and --fail-on have to look at; leave it out");
    if (settings.given("quiet") && settings.given("verbose")) refuse("--quiet and --verbose exclude each other");
}

// The order of output is explored where something looks at the output.
void settle_output_order(Settings& settings) {
    const VerdictRules rules = verdict_rules_of(settings);
    const std::vector<std::string> given = settings.all("output-order");
    std::vector<std::string> wanted;
    const auto want = [&](const char* stream, bool is_judged) {
        if (is_judged || settings.given("outcomes") || std::count(given.begin(), given.end(), stream) > 0)
            wanted.emplace_back(stream);
    };
    want("stdout", rules.same_output);
    want("stderr", rules.reads_errors);
    const bool asks_for_files = std::count(given.begin(), given.end(), "files") > 0;
    if (!rules.same_files.empty() || asks_for_files) wanted.emplace_back("files");
    if (wanted != given) settings.decide("output-order", wanted);
}

// Executions that compare a file have to start alike, and no other worker may write to it meanwhile.
void settle_files(Settings& settings) {
    for (const std::string& path : verdict_rules_of(settings).same_files) {
        const bool is_absolute = path.starts_with('/');
        if (!is_absolute && !settings.given("workdir-copy") && !settings.given("reset"))
            settings.decide("workdir-copy", {});
        if (!is_absolute && settings.given("workdir-copy")) continue;
        const std::string what = "--fail-on file-differs=" + path;
        if (!settings.given("reset"))
            refuse(what +
                   " needs executions that start alike: give --reset CMD, which puts the file back, or a path in the "
                   "working directory, of which raddle makes a copy for each worker");
        if (settings.on_command_line("jobs") && settings.text("jobs") != "1")
            refuse(what +
                   " is one file for all workers; give -j1, or a path in the working directory with --workdir-copy");
        settings.decide("jobs", {"1"});
    }
}

// The processors that this process may use, which may be fewer than there are.
unsigned usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int count = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return static_cast<unsigned>(std::clamp<int>(count, 1, most_jobs));
}

}  // namespace

std::string strategy_name(const Settings& settings) {
    if (settings.given("strategy")) return settings.text("strategy");
    const bool goes_by_value = settings.text("independence") == name_of(Independence::values);
    // A printed configuration holds the default patience, which nobody asked for.
    const std::string patience = settings.text("patience");
    const bool is_default = patience == find_setting("patience", command::run)->preset;
    const bool is_patient =
        settings.is_said("patience") && patience != "none" && (settings.on_command_line("patience") || !is_default);
    return settings.text("bound") == "none" && !goes_by_value && !is_patient && !settings.given("focus") ? "optimal"
                                                                                                         : "portfolio";
}

const StrategyRow& strategy_row(const std::string& name) {
    const auto row = std::find_if(strategy_rows().begin(), strategy_rows().end(),
                                  [&](const StrategyRow& one) { return one.name == name; });
    CHECK(row != strategy_rows().end());
    return *row;
}

void settle_combinations(Settings& settings) {
    if (settings.given("schedule")) {
        for (const SettingRow& row : settings_of(command::run))
            if (row.is_part_of(belongs::many_schedules))
                leave_out(settings, row,
                          "--schedule runs one execution; " + SettingName(row).option() + " does not go with it");
        for (const SettingName name : of_the_store) settings.disregard(name);
    }
    settle_strategy(settings);
    settle_store(settings);
    settle_output(settings);
    settle_output_order(settings);
    settle_files(settings);
}

CampaignOptions campaign_options(const Settings& settings) {
    CampaignOptions options;
    options.jobs = settings.given("jobs")       ? static_cast<unsigned>(count_of(settings.text("jobs")))
                   : settings.given("schedule") ? 1
                                                : usable_processors();
    if (settings.given("max-execs")) options.max_executions = count_of(settings.text("max-execs"));
    if (settings.given("max-time")) options.max_time = duration_of(settings.text("max-time"));
    options.one_execution = settings.given("schedule");
    options.keep_to_cores = !settings.given("no-pin");
    options.keep_going = settings.given("keep-going") || options.one_execution;  // there is nothing to stop
    options.bound = bound_of(settings.text("bound"));
    return options;
}

Schedule given_schedule(const std::string& text) {
    if (!text.starts_with('@')) return parse_schedule(text);
    const std::string path = text.substr(1);
    const auto content = content_of(path);
    if (!content) refuse("--schedule: " + path + " cannot be read: " + std::strerror(errno));
    if (content->empty()) refuse("--schedule: " + path + " is empty; expected a schedule or a schedule file");
    return is_schedule_file(*content) ? parse_schedule_file(*content, path).schedule() : parse_schedule(*content);
}

}  // namespace raddle
