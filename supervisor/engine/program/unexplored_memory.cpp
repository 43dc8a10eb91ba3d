#include "supervisor/engine/program/unexplored_memory.h"

#include "supervisor/engine/program/memory_trial.h"
#include "supervisor/engine/program/program_identity.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/engine/program/unwatched_code.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/trace/data_races.h"

namespace raddle {

namespace {

std::string sentence(const Execution& execution, const DataRace& race, Symbolizer& names) {
    const Event& first = execution.events[race.first];
    const Event& second = execution.events[race.second];
    const auto access = [&](const Event& event) {
        const bool reads = traits(event.action.operation).access == MemoryAccess::reads || reads_second(event.action);
        return std::string(is_freeing(event.action) ? "ends its life"
                           : reads                  ? "reads it"
                                                    : "writes it") +
               " at " + names.with_lines(text_of_site(event.action.site, execution.modules.get()));
    };
    const ObjectId& variable = reads_second(first.action) ? first.action.second : first.action.object;
    const std::string object = name_of(variable, execution.modules.get());
    const std::string name = names.of_object(object);
    return "no call orders the accesses to " + (name.empty() ? object : name) + ": " + name_of(first.thread) + " " +
           access(first) + ", " + name_of(second.thread) + " " + access(second) + "; --memory races explores them";
}

}  // namespace

std::string unexplored_memory(const Settings& settings, const ProcessOptions& process,
                              const std::function<bool()>& is_interrupted, std::uint64_t& executed) {
    const bool sees_atomics = process.code != nullptr;
    ProcessOptions options = process;
    options.code = nullptr;
    MemoryTrial trial(options, {}, is_interrupted, {.draws = trial_limits::many_draws, .ends_with_bug = false});
    const std::string obstacle = trial.find_obstacle();
    executed += trial.executed();
    if (!obstacle.empty()) return "the accesses to memory cannot be looked at: " + obstacle;
    if (trial.saw_one_thread()) return {};
    if (is_interrupted()) return "interrupted before the accesses to memory were looked at";
    if (trial.executions().empty())
        return "the accesses to memory could not be looked at: no two executions had the same";
    Symbolizer names(subject_of(settings, options).files);
    DataRaces races(options.machine, sees_atomics ? Ordering::by_calls_and_atomics : Ordering::by_calls);
    for (const auto& [plan, execution] : trial.executions()) {
        if (!execution.not_looked_at.empty()) {
            options.code = trial.code();
            const std::string counted = count_unwatched_code(options, execution.schedule());
            return counted.empty() ? execution.not_looked_at : counted;
        }
        if (const std::vector<DataRace>& found = races.find(execution); !found.empty())
            return sentence(execution, found.front(), names);
    }
    return {};
}

}  // namespace raddle
