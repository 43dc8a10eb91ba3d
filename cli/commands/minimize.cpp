// raddle minimize: prints, or writes, a simpler schedule for a bug.
#include <iostream>

#include "cli/commands/commands.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/minimized.h"

namespace raddle::cli {

const std::vector<Example> minimize_examples = {
    {"raddle minimize 1 --max-time 10m", "the first bug of the newest campaign"},
    {"raddle minimize bug.schedule > simpler.schedule", "of a schedule file"},
};

namespace {

std::string cost_text(const Cost& cost) {
    return counted(cost.preemptions, "preemption") + ", " + counted(cost.switches, "switch", "switches") + ", " +
           counted(cost.steps, "step");
}

}  // namespace

int run_minimize(const Arguments& arguments) {
    using Found = SimplerSchedule::Found;
    const LocatedBug bug = locate_bug(named_bug(arguments), arguments);
    const Interruption interruption;
    const SimplerSchedule simple = simpler_schedule(bug, arguments, interruption);
    if (simple.outcome == Found::gone || simple.outcome == Found::diverged) {
        say("the bug does not show any more: " + simple.why);
        return simple.outcome == Found::gone ? exit_ok : exit_diverged;
    }
    if (simple.outcome == Found::unstable) {
        say("the simpler schedule does not show the bug every time; the schedule stays as it was");
        return exit_diverged;
    }
    if (bug.directory.empty()) std::cout << simple.text;
    std::cerr << "before      " << cost_text(simple.before) << "\nafter       " << cost_text(simple.after)
              << (simple.fewest ? "; no schedule with fewer preemptions shows it" : "") << "\nexecutions  "
              << simple.executions << std::endl;
    return interruption.signal() != 0 ? exit_signal + interruption.signal() : exit_bug;
}

}  // namespace raddle::cli
