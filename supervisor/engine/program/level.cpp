#include "supervisor/engine/program/level.h"

#include "supervisor/engine/program/memory_trial.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

Level tried(const ProcessOptions& process, std::uint64_t seed, const std::function<bool()>& is_interrupted,
            bool& is_endless) {
    MemoryTrial trial(process, {}, is_interrupted, {.seed = seed});
    std::string why = trial.find_obstacle();
    is_endless = trial.was_endless();
    if (why.empty() && trial.saw_one_thread()) why = no_second_thread;
    Level level{name_of(MemoryLevel::sync), std::move(why)};
    // The search begins with the visible set that the trial found, which then hardly grows any more.
    if (level.why.empty()) level = {name_of(MemoryLevel::races), "", trial.code()};
    if (level.why.empty() && process.output != Output::inherit) level.known = trial.executions();
    level.executions = trial.executed();
    return level;
}

}  // namespace

Level find_level(const Settings& settings, const std::string& kept, const std::string& kept_because,
                 const std::function<bool()>& is_interrupted) {
    for (const SettingRow& row : setting_rows)
        if (row.is_part_of(belongs::memory) && settings.given(row)) return {name_of(MemoryLevel::races), ""};
    if (settings.text("independence") == name_of(Independence::values)) return {name_of(MemoryLevel::races), ""};
    if (kept == name_of(MemoryLevel::sync))
        return {kept, kept_because.empty() ? "as when the campaign began" : kept_because};
    if (settings.given("schedule")) return {name_of(MemoryLevel::sync), ""};
    if (!kept.empty()) return {kept, ""};
    try {
        ProcessOptions process = process_options(settings);
        const std::string given = settings.text("seed");  // not a setting of each command
        const std::uint64_t seed = count_of(given.empty() ? find_setting("seed")->preset : given);
        bool is_endless = false;
        Level level = tried(process, seed, is_interrupted, is_endless);
        level.naps = process.naps;
        if (!is_endless || settings.text("naps") != "auto") return level;
        // Perhaps its threads work until time has passed.
        process.naps = true;
        Level with_naps = tried(process, seed, is_interrupted, is_endless);
        with_naps.naps = true;
        level.executions = with_naps.executions += level.executions;
        return is_endless ? level : with_naps;
    } catch (const CannotRun&) {
        return {name_of(MemoryLevel::sync), ""};  // the campaign says why
    }
}

void settle(Settings& settings, const Level& level) {
    if (level.name == name_of(MemoryLevel::sync)) return;
    const bool asked = settings.given("races");
    settings.decide("memory", {level.name});
    if (!asked) settings.decide("races", {"explore"});
}

}  // namespace raddle
