#include "supervisor/engine/minimized.h"

#include "replay/schedule/bug_directory.h"
#include "replay/schedule/minimize.h"
#include "supervisor/engine/bugs/explained.h"
#include "supervisor/engine/program/races.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/engine/program/target_pool.h"

namespace raddle {

namespace {

MinimizeOptions options_of(const Settings& settings, const LocatedBug& bug, const Interruption& interruption) {
    MinimizeOptions options;
    const ProcessOptions& process = bug.target.process;
    options.search.machine = process.machine;
    options.search.max_steps = process.max_steps;
    options.search.visible_set = process.code;
    options.max_time = duration_of(settings.text("max-time"));
    options.max_executions = settings.given("max-execs") ? count_of(settings.text("max-execs")) : ~std::uint64_t{0} / 2;
    // Older versions took the word of a search over graphs for every bug.
    options.fewest_known = bug.file->fewest && is_property_of_graph(bug.file->verdict);
    options.give_up = [&interruption] { return interruption.signal() != 0; };
    return options;
}

}  // namespace

SimplerSchedule simpler_schedule(const LocatedBug& bug, const Settings& settings, const Interruption& interruption) {
    using Result = SimplerSchedule::Found;
    if (!bug.file)
        throw BadInput("raddle minimize: a token has no steps to be held to; expected a bug or a schedule file");
    if (!is_bug(bug.file->verdict))
        throw BadInput(
            "raddle minimize: a divergence has no simpler schedule; raddle show explains it, raddle replay repeats it");
    if (!bug.difference.empty())
        throw BadInput("the program is not the one recorded: " + bug.difference +
                       "; find the bug once more with raddle run");
    const VerdictRules rules = verdict_rules_of(bug.target.settings);
    TargetPool pool(bug.target.process, rules);
    const std::unique_ptr<Target> process_target = pool.make();
    RaceVerdictTarget judged(*process_target, wanted_race(bug.expected, false));
    const ReplayResult again = replay(judged, bug.expected);
    SimplerSchedule result;
    if (again.outcome != Replayed::reproduced) {
        result.outcome = again.outcome == Replayed::clean ? Result::gone : Result::diverged;
        result.why = again.divergence ? text_of(*again.divergence) : "the program ran clean";
        return result;
    }
    result.before = cost_of(again.execution, bug.target.process.machine);
    const MinimizeResult simple = minimize(judged, again.execution, options_of(settings, bug, interruption));
    result.after = simple.cost;
    result.fewest = simple.fewest;
    result.executions = simple.executions;
    ScheduleFile file = *bug.file;
    const Finding finding{file.verdict, simple.cost.preemptions, simple.execution.schedule(), simple.execution.message,
                          file.key};
    const Proof proof = prove(judged, finding);
    if (!proof.is_proven()) {
        result.outcome = Result::unstable;
        return result;
    }
    file.preemptions = simple.cost.preemptions;
    file.fewest = simple.fewest;
    file.message = message_in_names(bug.target.process, rules, wanted_race(bug.expected, false), finding);
    file.steps = recorded(proof.execution);
    file.names = Symbolizer(file.subject.files).of_objects(file.steps);
    result.text = text_of(file, {"raddle replay runs it again."});
    if (!bug.directory.empty()) write_minimal(bug.directory, result.text);
    return result;
}

}  // namespace raddle
