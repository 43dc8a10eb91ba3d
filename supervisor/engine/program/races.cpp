#include "supervisor/engine/program/races.h"

#include "replay/schedule/token.h"
#include "supervisor/binary/debuginfo/atomic_code.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

std::shared_ptr<RaceWatch> race_watch_of(const Settings& settings, const ProcessOptions& process) {
    const bool sees_plain_accesses =
        process.code && (process.code->level() == MemoryLevel::races || process.code->level() == MemoryLevel::all);
    if (!sees_plain_accesses || settings.text("races") != "report") return nullptr;
    const auto atomic = std::make_shared<AtomicCode>(find_executable(process.argv.at(0)), process.directory);
    return std::make_shared<RaceWatch>(process.machine, [atomic](std::uint64_t site, const Modules& modules) {
        return atomic->contains(site, modules);
    });
}

IsWantedRace wanted_race(const Finding& finding) {
    if (finding.verdict != Verdict::race) return {};
    return [key = finding.key](const std::string& text) { return text == key; };
}

IsWantedRace wanted_race(const Expected& expected, bool of_changed_program) {
    if (expected.verdict != Verdict::race) return {};
    return [key_checksum = expected.key_checksum, of_changed_program](const std::string& text) {
        return of_changed_program || key_checksum_of(text) == key_checksum;
    };
}

}  // namespace raddle
