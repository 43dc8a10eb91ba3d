#include "supervisor/engine/program/level.h"

#include <algorithm>
#include <filesystem>

#include "store/build_id.h"
#include "supervisor/engine/program/memory_trial.h"
#include "supervisor/engine/program/process_settings.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace {

// Libraries with threads that meet in memory and wait by their own system calls: only both together make sense.
constexpr const char* runtimes[] = {"libgomp.so", "libomp.so"};

std::vector<std::string> runtimes_of(const ProcessOptions& process) {
    std::vector<std::string> found;
    for (const std::filesystem::path& file :
         files_loaded_by(find_executable(process.argv.at(0)), wanted_environment(process)))
        if (std::any_of(std::begin(runtimes), std::end(runtimes),
                        [&](const char* name) { return file.filename().string().starts_with(name); }))
            found.push_back(file.string());
    return found;
}

}  // namespace

Level find_level(const Settings& settings, const std::string& kept, const std::function<bool()>& is_interrupted) {
    for (const SettingRow& row : setting_rows)
        if (row.is_part_of(belongs::memory) && settings.given(row)) return {name_of(MemoryLevel::races), ""};
    if (settings.text("independence") == name_of(Independence::values)) return {name_of(MemoryLevel::races), ""};
    if (kept == name_of(MemoryLevel::sync)) return {kept, "as when the campaign began"};
    if (settings.given("schedule")) return {name_of(MemoryLevel::sync), ""};
    try {
        const ProcessOptions process = process_options(settings);
        const std::vector<std::string> libraries = runtimes_of(process);
        if (!kept.empty()) return {kept, "", libraries};
        MemoryTrial trial(process, libraries, is_interrupted);
        std::string why = trial.find_obstacle();
        if (why.empty() && trial.saw_one_thread()) why = "no second thread was seen";
        if (!why.empty()) return {name_of(MemoryLevel::sync), std::move(why)};
        // The code in its initial state: the campaign finds the shared accesses itself.
        return {name_of(MemoryLevel::races), "", libraries, trial.code()->anew()};
    } catch (const CannotRun&) {
        return {name_of(MemoryLevel::sync), ""};  // the campaign says why
    }
}

void settle(Settings& settings, const Level& level) {
    if (level.name == name_of(MemoryLevel::sync)) return;
    const bool asked = settings.given("races");
    settings.decide("memory", {level.name});
    if (!level.libraries.empty()) settings.decide("instrument", level.libraries);
    if (!asked) settings.decide("races", {"explore"});
}

}  // namespace raddle
