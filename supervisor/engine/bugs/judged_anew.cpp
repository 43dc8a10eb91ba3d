#include "supervisor/engine/bugs/judged_anew.h"

#include "replay/schedule/proof.h"
#include "supervisor/base/text.h"
#include "supervisor/engine/kept/judging.h"
#include "supervisor/engine/program/target_pool.h"
#include "supervisor/trace/bug_key.h"

namespace raddle {

namespace {

// The finding without its epoch: the visible set may have grown since.
Finding finding_of(const Execution& execution, const MachineOptions& machine) {
    return {execution.verdict, cost_of(execution, machine).preemptions, execution.schedule(), execution.message,
            bug_key_of(execution)};
}

}  // namespace

void judge_bugs_anew(KeptCampaign& kept, const Settings& settings, const ProcessOptions& process,
                     const Interruption& interruption, const Notices& say) {
    const std::vector<Finding> bugs = kept.bugs_to_judge();
    try {
        TargetPool pool(process, verdict_rules_of(settings));
        const std::unique_ptr<Target> target = bugs.empty() ? nullptr : pool.make();
        for (const Finding& bug : bugs) {
            Plan plan;
            plan.prefix = bug.schedule;
            const Execution execution = target->run(plan);
            if (interruption.signal() != 0) return;
            if (execution.verdict != Verdict::ok && !is_bug(execution.verdict)) continue;  // it went another way
            if (execution.verdict == bug.verdict && bug_key_of(execution) == bug.key) continue;
            kept.forget(bug);
            if (is_bug(execution.verdict)) kept.keep(finding_of(execution, process.machine));
            say(words_of(name_of(bug.verdict)) + " found before (" + printable(bug.message) + ") is " +
                (is_bug(execution.verdict) ? words_of(name_of(execution.verdict)) : "no bug") +
                " by the rules of this run (" + words_of_rules(judging_rules(settings)) + ")");
        }
    } catch (const CannotRun&) {
        return;  // the campaign itself will say why
    }
    kept.note_rules();
}

}  // namespace raddle
