#include "supervisor/engine/divergence/kept_divergence.h"

#include "replay/explain/diverged.h"
#include "replay/schedule/bug_directory.h"
#include "supervisor/engine/divergence/cause.h"
#include "supervisor/engine/divergence/repetitions.h"

namespace raddle {

void explain(Bug& bug, const DivergenceRecord& record, const ScheduleFile& first) {
    auto explanation = explanation_of(record, first);
    explanation.again = replay_command_of(bug);
    bug.explained = Explained{.explanation = std::make_shared<const Explanation>(std::move(explanation)),
                              .brief = brief_text_of(record),
                              .key_in_functions = record.place.empty() ? "" : "diverged at " + record.place,
                              .advice = text_of_advice(record)};
}

void add_kept_divergences(std::vector<Bug>& divergences, const std::vector<Bug>& in_directories) {
    add_files(divergences, in_directories);
    for (Bug& bug : divergences) {
        if (!bug.filed) continue;
        try {
            explain(bug, read_divergence(bug.filed->directory), schedule_file_of(bug));
        } catch (const BadInput& error) {
            bug.explained = Explained{.why_not = error.what()};
        }
    }
}

namespace {

Divergence in_names(Divergence difference, const LocatedBug& bug, const Execution& found) {
    Symbolizer names(subject_of(bug.target.settings, bug.target.process).files);
    const std::size_t step = difference.step - 1;
    if (step < bug.expected.steps.size()) difference.expected = text_of_step(bug.expected.steps[step], names);
    if (step < found.events.size())
        difference.found = text_of_step(recorded(found.events[step], found.modules.get()), names);
    return difference;
}

}  // namespace

ReplayedDivergence replay_divergence(const LocatedBug& bug, std::uint64_t times) {
    ReplayedDivergence result;
    ProcessOptions process = bug.target.process;
    process.check_every = 0;
    TargetPool pool(process, verdict_rules_of(bug.target.settings));
    const bool launches = !bug.directory.empty() && read_divergence(bug.directory).across == Across::launches;
    std::unique_ptr<Target> target;
    while (result.times < times) {
        if (launches) target.reset();
        if (!target) target = pool.make();
        const ReplayResult again = replay(*target, bug.expected);
        ++result.times;
        const std::optional<Divergence> difference = first_difference(bug.expected.steps, again.execution);
        if (!difference) continue;
        ++result.differed;
        if (!result.difference) result.difference = in_names(*difference, bug, again.execution);
    }
    return result;
}

}  // namespace raddle
