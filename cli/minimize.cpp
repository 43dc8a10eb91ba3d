// raddle minimize: a simpler schedule for a bug, with more time than a run takes for it.
#include <iostream>

#include "cli/commands.h"
#include "cli/explained.h"
#include "cli/interruption.h"
#include "cli/located_bug.h"
#include "cli/place_names.h"
#include "cli/races.h"
#include "replay/schedule/bug_directory.h"
#include "replay/schedule/minimize.h"
#include "supervisor/base/text.h"

namespace raddle::cli {

const std::vector<OptionRow> minimize_options = {
    {"max-time", 't', "TIME", "1m", "end after so long: 30s, 5m, 2h", "budget", &duration_form},
    {"max-execs", 0, "N", nullptr, "end after so many executions", "budget", &positive_count},
};

const std::vector<Example> minimize_examples = {
    {"raddle minimize 1 --max-time 10m", "the first bug of the newest campaign"},
    {"raddle minimize bug.schedule > simpler.schedule", "of a schedule file"},
};

namespace {

std::string text_of(const Cost& cost) {
    return counted(cost.preemptions, "preemption") + ", " + counted(cost.switches, "switch", "switches") + ", " + counted(cost.steps, "step");
}

MinimizeOptions options_of(const Arguments& arguments, const LocatedBug& bug, const Interruption& interruption) {
    MinimizeOptions options;
    const ProcessOptions& process = bug.target.process;
    options.search.machine = process.machine;
    options.search.max_steps = process.max_steps;
    options.max_time = duration_of(arguments.text("max-time"));
    options.max_executions = arguments.given("max-execs") ? count_of(arguments.text("max-execs")) : ~std::uint64_t{0} / 2;
    options.fewest_known = bug.file->fewest;
    options.give_up = [&interruption] { return interruption.signal() != 0; };
    return options;
}

}  // namespace

int run_minimize(const Arguments& arguments) {
    const LocatedBug bug = locate_bug(arguments);
    if (!bug.file) throw Usage("raddle minimize: a token has no steps to be held to; expected a bug or a schedule file");
    if (!bug.difference.empty()) throw BadInput("the program is not the one recorded: " + bug.difference + "; find the bug once more with raddle run");
    const Interruption interruption;
    TargetPool pool(bug.target.process, judgement_of(bug.target.arguments));
    const std::unique_ptr<Target> process_target = pool.make();
    RaceJudge judged(*process_target, wanted_race(bug.expected, false));
    Target* const target = &judged;
    const ReplayResult again = replay(*target, bug.expected);
    if (again.outcome != Replayed::reproduced) {
        std::cerr << "raddle: the bug does not show any more: "
                  << (again.divergence ? printable(raddle::text_of(*again.divergence)) : "the program ran clean") << std::endl;
        return again.outcome == Replayed::clean ? exit_ok : exit_diverged;
    }
    const Cost before = cost_of(again.execution, bug.target.process.machine);
    const Minimized simple = minimize(*target, again.execution, options_of(arguments, bug, interruption));
    ScheduleFile file = *bug.file;
    Finding finding{file.verdict, simple.cost.preemptions, simple.execution.schedule(), simple.execution.message, file.place};
    const Proof proof = prove(*target, finding);
    if (!proof.is_proven()) {
        std::cerr << "raddle: what was found does not show the bug every time; the schedule stays as it was" << std::endl;
        return exit_diverged;
    }
    file.preemptions = simple.cost.preemptions;
    file.fewest = simple.fewest;
    file.message = message_in_names(bug.target.process, judgement_of(bug.target.arguments), wanted_race(bug.expected, false), finding);
    file.steps = recorded(proof.execution);
    file.names = PlaceNames(file.subject.files).of_objects(file.steps);
    const std::string text = raddle::text_of(file, {"raddle replay runs it again."});
    if (bug.directory.empty())
        std::cout << text;
    else
        write_minimal(bug.directory, text);
    std::cerr << "before      " << text_of(before) << "\nafter       " << text_of(simple.cost)
              << (simple.fewest ? "; no schedule with fewer preemptions shows it" : "") << "\nexecutions  " << simple.executions << std::endl;
    return interruption.signal() != 0 ? exit_signal + interruption.signal() : exit_bug;
}

}  // namespace raddle::cli
